import type { Vocabulary } from '../../vocabulary-type.ts';

export const wafVocabulary = {
  permissions: {
    'waf:read': 'Read WAF policies and events, and try requests on them.',
    'waf:write': 'Create, change and delete WAF policies and their exclusions.',
  },
  ids: { waf: 'WAF policy', wafevent: 'WAF event', wafexclusion: 'WAF exclusion' },
} as const satisfies Vocabulary;

/** Parts of a request with a name of their own: `argument` and `q`. The others are there once in a request. */
export const NAMED_WAF_PARTS = ['argument', 'header', 'cookie', 'file'] as const;
export const WAF_PARTS = [
  ...NAMED_WAF_PARTS,
  'argument_names',
  'header_names',
  'cookie_names',
  'method',
  'path',
  'query',
  'uri',
  'body',
  'address',
] as const;
export type WafPart = (typeof WAF_PARTS)[number];

export const WAF_TRANSFORMS = ['lowercase', 'url_decode', 'html_decode', 'base64_decode', 'compress_spaces'] as const;
export const WAF_TESTS = [
  'equals',
  'begins_with',
  'ends_with',
  'contains',
  'matches',
  'in_networks',
  'is_there',
] as const;

/** The gravest first. */
export const WAF_VERDICTS = ['blocked', 'detected', 'scored'] as const;

/** Under which names agents report, in `abilities.engines`, what inspects requests and the version of its rule set. */
export const WAF_ENGINES = { module: 'modsecurity', rule_set: 'crs' } as const;

/** Characters that the rules and exclusions of a policy may have in all, as JSON. */
export const MAX_WAF_POLICY_CHARACTERS = 262_144;
export const MAX_WAF_RULES = 100;
export const MAX_WAF_EXCLUSIONS = 200;
/** Events of one heartbeat. More of them are sent with the next ones. */
export const MAX_WAF_EVENTS = 50;
export const MAX_WAF_MATCHES = 20;
/** Characters of what a rule matched. The rest of the request is not recorded. */
export const MAX_WAF_FRAGMENT = 200;

/**
 * Of the Core Rule Set: rules that set up, add up and judge. Without them nothing is ever refused, so no exclusion may name them.
 */
const SCORING_RULES = [
  [901_000, 901_999],
  [949_000, 949_999],
  [959_000, 959_999],
  [980_000, 980_999],
] as const;

export function isScoringRule(rule: number): boolean {
  return SCORING_RULES.some(([first, last]) => rule >= first && rule <= last);
}

/**
 * Of the Core Rule Set: tags that those rules carry too, or nearly all rules. An engine may take a tag for a part of one, so that
 * no exclusion may name a part of these either.
 */
const SCORING_TAGS = [
  'anomaly-evaluation',
  'application-multi',
  'attack-generic',
  'language-multi',
  'owasp_crs',
  'paranoia-level/1',
  'paranoia-level/2',
  'paranoia-level/3',
  'paranoia-level/4',
  'platform-multi',
  'reporting',
] as const;

export function isScoringTag(tag: string): boolean {
  const lower = tag.toLowerCase();
  return SCORING_TAGS.some((scoring) => scoring.includes(lower)) || lower.startsWith('owasp_crs');
}

/** The first major version of the Core Rule Set that is still maintained. */
export const OLDEST_MAINTAINED_CRS = 4;

/** Ours, with the thresholds and the level of the Core Rule Set. A `WafRules`: found and recorded, and nothing is refused yet. */
export const DEFAULT_WAF_RULES = {
  mode: 'detect' as const,
  paranoia: { block: 1, detect: 1 },
  thresholds: { inbound: 5, outbound: 4 },
  early_blocking: false,
  sampling_percent: 100,
  inspect_responses: false,
  requests: {
    methods: ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'],
    content_types: [] as [],
    body_bytes: 13_107_200,
    // Some rules take minutes for an argument of a megabyte, and a worker serves nothing else meanwhile.
    arguments_most: 1000,
    argument_bytes: 65_536,
    file_bytes: null,
    denied_extensions: [] as [],
  },
  clients: {
    trusted: [] as [],
    denied: [] as [],
    allowed_countries: [] as [],
    denied_countries: [] as [],
  },
  rules: [] as [],
};
