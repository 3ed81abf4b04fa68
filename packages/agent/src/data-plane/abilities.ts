/** What an agent can carry, as it says in its report. */
import type { Abilities, Section } from '@meshwork/contract';
import { SECTION_NAMES } from '@meshwork/contract/vocabulary';
import type { OpenEngine } from '../engines/engine.ts';

/** What the agent does without an engine: `endpoints/` measures relays, `relays/` proves them, and commands are done by the agent itself. */
const WITHOUT_ENGINE: readonly Section[] = ['relays', 'relay_access', 'commands'];

/** Of this host, with the versions that its engines answer with. */
export async function hostAbilities(engines: readonly OpenEngine[]): Promise<Abilities> {
  const carried = new Set<Section>([...WITHOUT_ENGINE, ...engines.flatMap(({ traits }) => traits.sections)]);
  const versions = await Promise.all(engines.map((engine) => engine.versions()));
  return { sections: SECTION_NAMES.filter((name) => carried.has(name)), engines: Object.assign({}, ...versions) };
}

/** What no simulation can claim: a certificate needs a key, and a large fleet has no time to make one for each of its nodes. */
const NOT_SIMULATED: readonly Section[] = ['trust', 'certificate'];

/** Carries every other section: a dry run changes nothing on the host, so nothing can fail. */
export const DRY_RUN_ABILITIES: Abilities = {
  sections: SECTION_NAMES.filter((name) => !NOT_SIMULATED.includes(name)),
  engines: { 'dry-run': 'simulated' },
};
