import type { Egress, NatKind, SiteFamilies, SiteSpec } from '@meshwork/lab';
import { Failure } from '../../failure.ts';

/** What can be said of a site, besides which carrier it is behind. */
const WORDS: Readonly<Record<NatKind | Exclude<Egress, 'everything'> | SiteFamilies | 'hairpin', Partial<SiteSpec>>> = {
  'full-cone': { nat: 'full-cone' },
  'address-restricted': { nat: 'address-restricted' },
  'port-restricted': { nat: 'port-restricted' },
  symmetric: { nat: 'symmetric' },
  masquerade: { nat: 'masquerade' },
  'masquerade-random': { nat: 'masquerade-random' },
  'masquerade-fully-random': { nat: 'masquerade-fully-random' },
  hairpin: { hairpin: true },
  'tcp-only': { egress: 'tcp-only' },
  'tcp-443-only': { egress: 'tcp-443-only' },
  'ipv4-only': { families: 'ipv4-only' },
  'dual-stack': { families: 'dual-stack' },
  'ipv6-only': { families: 'ipv6-only' },
};

interface FlaggedSite {
  readonly spec: SiteSpec;
  readonly nodes: readonly string[];
}

/** `home=symmetric,behind=carrier:lab-1,lab-2`. A carrier has no nodes, and so no colon. */
export function siteOf(text: string, lab: string): FlaggedSite {
  const [, name, words = '', nodes] = /^([^=]+)=([^:]+)(?::(.+))?$/.exec(text) ?? [];
  if (name === undefined) throw usage(`--site looks like home=symmetric:${lab}-1,${lab}-2, not "${text}"`);
  const facts = words.split(',').map((word) => factsOf(word, name));
  return { spec: Object.assign({ name }, ...facts) as SiteSpec, nodes: nodes?.split(',') ?? [] };
}

function factsOf(word: string, site: string): Partial<SiteSpec> {
  const [, behind] = /^behind=(.+)$/.exec(word) ?? [];
  if (behind !== undefined) return { behind };
  if (Object.hasOwn(WORDS, word)) return WORDS[word as keyof typeof WORDS];
  throw usage(`"${word}" says nothing of the site ${site}; there is ${Object.keys(WORDS).join(', ')}, behind=SITE`);
}

function usage(message: string): Failure {
  return new Failure(message, { exit: 'usage', code: 'usage' });
}
