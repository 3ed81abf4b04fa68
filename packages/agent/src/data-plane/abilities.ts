/** What an agent can carry, as it says in its report. */
import { isDeepStrictEqual } from 'node:util';
import type { Abilities, Section } from '@meshwork/contract';
import { FEATURES, SECTION_NAMES } from '@meshwork/contract/vocabulary';
import type { OpenEngine } from '../engines/engine.ts';

/** What the agent does without an engine: `endpoints/` measures relays, `relays/` proves them, and commands are done by the agent itself. */
const WITHOUT_ENGINE: readonly Section[] = ['relays', 'relay_access', 'commands'];

/** Of this host, with the versions that its engines answer with. */
export async function hostAbilities(engines: readonly OpenEngine[]): Promise<Abilities> {
  const versions = await Promise.all(engines.map((engine) => engine.versions()));
  const sections = await carriedSections(engines);
  const features = engines
    .filter(({ traits }) => traits.sections.some((name) => sections.includes(name)))
    .flatMap(({ traits }) => traits.features ?? []);
  return {
    sections,
    engines: Object.assign({}, ...versions),
    ...(features.length === 0 ? {} : { features: [...new Set(features)] }),
  };
}

/** As the host is now: what is missing today may be installed tomorrow. */
async function carriedSections(engines: readonly OpenEngine[]): Promise<Section[]> {
  const each = await Promise.all(engines.map(async (engine) => (await engine.carries?.()) ?? engine.traits.sections));
  const carried = new Set<Section>([...WITHOUT_ENGINE, ...each.flat()]);
  return SECTION_NAMES.filter((name) => carried.has(name));
}

/**
 * Undefined: they are what they were. `versions`: those are read again too, for which programs are run. Otherwise only when another
 * section is carried.
 */
export async function changedAbilities(
  engines: readonly OpenEngine[],
  before: Abilities,
  of: 'sections' | 'versions' = 'sections',
): Promise<Abilities | undefined> {
  const sections = await carriedSections(engines);
  const isSame = sections.join() === before.sections.join();
  if (isSame && of === 'sections') return undefined;
  const abilities = await hostAbilities(engines);
  return isSame && isDeepStrictEqual(abilities.engines, before.engines) ? undefined : abilities;
}

/** What no simulation can claim: a certificate needs a key, and a large fleet has no time to make one for each of its nodes. */
const NOT_SIMULATED: readonly Section[] = ['trust', 'certificate'];

/** Carries every other section: a dry run changes nothing on the host, so nothing can fail. */
export const DRY_RUN_ABILITIES: Abilities = {
  sections: SECTION_NAMES.filter((name) => !NOT_SIMULATED.includes(name)),
  engines: { 'dry-run': 'simulated' },
  features: [...FEATURES],
};
