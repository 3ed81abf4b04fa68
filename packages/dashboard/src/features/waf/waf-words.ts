/** What is said of policies, of what they find and of where their rules do not look, in more than one place. */
import type { WafExclusionRules, WafMatch, WafParameter, WafPolicy, WafRule, WafSummary } from '@meshwork/contract';
import { OLDEST_MAINTAINED_CRS } from '@meshwork/contract/vocabulary';
import { mergePatch } from '../../api/merge-patch.ts';
import { plural } from '../../ui/plural.ts';

/** Ours: heartbeats bring events, and what is in force where, without an event of the mesh. */
export const LOOK_EVERY_MS = 10_000;

type Mode = WafPolicy['mode'];
type Verdict = 'blocked' | 'detected' | 'scored' | 'passed';

export const MODE_HELP: Readonly<Record<Mode, string>> = {
  off: 'Requests are not inspected.',
  detect: 'Requests are inspected and recorded, and all of them pass.',
  block: 'Requests that reach a threshold are refused with 403.',
};

export const VERDICT_HELP: Readonly<Record<Verdict, string>> = {
  blocked: 'It was refused.',
  detected: 'It passed, and would have been refused in the mode “block”.',
  scored: 'Rules matched, and it passed.',
  passed: 'No rule matched.',
};

type Part = WafParameter['part'];
const PARTS: Readonly<Record<Part, string>> = {
  argument: 'argument',
  header: 'header',
  cookie: 'cookie',
  file: 'file name',
  argument_names: 'names of arguments',
  header_names: 'names of headers',
  cookie_names: 'names of cookies',
  method: 'method',
  path: 'path',
  query: 'query',
  uri: 'path and query',
  body: 'body',
  address: 'client address',
};
export const PART_CHOICES = Object.entries(PARTS).map(([value, label]) => ({ value: value as Part, label }));

/** `argument q`, `every cookie`, `body`. */
export function parameterWords({ part, name }: WafParameter): string {
  if (name !== null) return `${PARTS[part]} ${name}`;
  return isNamed(part) ? `every ${PARTS[part]}` : PARTS[part];
}

export function isNamed(part: Part): boolean {
  return part === 'argument' || part === 'header' || part === 'cookie' || part === 'file';
}

/** What is left out: `Rule 942100`, or all rules with a tag. */
export function rulesWords({ rule, tag }: Pick<WafExclusionRules, 'rule' | 'tag'>): string {
  return rule === null ? `Rules with the tag ${tag}` : `Rule ${rule}`;
}

export function placeWords({ host, path, below }: Pick<WafExclusionRules, 'host' | 'path' | 'below'>): string {
  return `${host}${path}${below ? ' and below' : ''}`;
}

/** A sentence. */
export function exclusionWords(exclusion: WafExclusionRules): string {
  const { rule, parameter } = exclusion;
  const does = rule === null ? 'do' : 'does';
  const leaves = parameter === null ? `${does} not run on` : `${does} not look at ${parameterWords(parameter)} in`;
  return `${rulesWords(exclusion)} ${leaves} requests to ${placeWords(exclusion)}.`;
}

/** What the API takes of one, without what the coordinator knows of it. */
export function rulesOf({ rule, tag, host, path, below, parameter }: WafExclusionRules): WafExclusionRules {
  return { rule, tag, host, path, below, parameter };
}

/** Whether two leave out the same, in whatever order their members are written. */
export function isSameExclusion(one: WafExclusionRules, other: WafExclusionRules): boolean {
  return Object.keys(mergePatch(rulesOf(one), rulesOf(other), new Set())).length === 0;
}

const TESTS: Readonly<Record<WafRule['when'][number]['test'], readonly [is: string, is_not: string]>> = {
  equals: ['is', 'is not'],
  begins_with: ['begins with', 'does not begin with'],
  ends_with: ['ends with', 'does not end with'],
  contains: ['contains', 'does not contain'],
  matches: ['matches', 'does not match'],
  in_networks: ['is in', 'is not in'],
  is_there: ['is there', 'is not there'],
};
export const TEST_CHOICES = Object.entries(TESTS).map(([value, [label]]) => ({
  value: value as keyof typeof TESTS,
  label,
}));

function conditionWords({ part, name, test, values, negated, transforms }: WafRule['when'][number]): string {
  const [is, is_not] = TESTS[test];
  const changed = transforms.length === 0 ? '' : ` (${transforms.join(', ').replaceAll('_', ' ')})`;
  return `${parameterWords({ part, name })}${changed} ${negated ? is_not : is} ${values.join(' or ')}`.trim();
}

const ACTIONS: Readonly<Record<WafRule['action'], (score: number) => string>> = {
  block: () => 'Block',
  allow: () => 'Allow without further inspection',
  score: (score) => `Add ${plural(score, 'point')}`,
};

/** What a rule of the operator does, as a sentence. */
export function ruleWords({ when, action, score }: WafRule): string {
  return `${ACTIONS[action](score)} if ${when.map(conditionWords).join(' and ')}.`;
}

/** Numbers below these are of the policy: its own checks, and rules of the operator by their place. */
const FIRST_OF_RULE_SET = 100_000;

/** Only rules of the rule set have a number that means something to people, and can be excluded. */
export function isOfRuleSet(rule: number): boolean {
  return rule >= FIRST_OF_RULE_SET;
}

/** What a rule is called: that of the operator by its name, that of the rule set by its number. */
function ruleName({ rule, name }: Pick<WafMatch, 'rule' | 'name'>): string {
  return name ?? (isOfRuleSet(rule) ? String(rule) : 'the policy itself');
}

/** In a cell: the rules that matched, the gravest first. */
export function matchedRules({ matches, matches_left_out }: Matched): string {
  const rules = [...new Set(matches.map(ruleName))];
  const more = Math.max(0, rules.length - 3) + matches_left_out;
  return `${rules.slice(0, 3).join(', ')}${more > 0 ? ` and ${more} more` : ''}` || 'None';
}

interface Matched {
  readonly matches: readonly WafMatch[];
  readonly matches_left_out: number;
}

/** What its gateways prove, in a line. */
export function inForceWords({ gateways }: Pick<WafPolicy, 'gateways'>): string {
  if (gateways.length === 0) return 'No gateway';
  return `${gateways.filter(({ in_force }) => in_force).length} of ${plural(gateways.length, 'gateway')}`;
}

/** Names of the ingresses that use it, each once. */
export function usersOf({ used_by }: Pick<WafPolicy, 'used_by'>): readonly string[] {
  return [...new Set(used_by.map(({ name }) => name))].sort();
}

/** Whether a rule set gets fixes no longer. What is no version is not judged. */
export function isOutdated(rule_set: string | null): boolean {
  const [, major] = /^(\d+)\./.exec(rule_set ?? '') ?? [];
  return major !== undefined && Number(major) < OLDEST_MAINTAINED_CRS;
}

type Counts = Pick<WafSummary, 'blocked' | 'detected' | 'scored'>;

/** What gateways counted without a record of each. Null: there is none. */
export function leftOutWords({ blocked, detected, scored }: Counts): string | null {
  const all = blocked + detected + scored;
  if (all === 0) return null;
  return `${plural(all, 'request')} of these were counted by gateways and not recorded one by one, because there were too many.`;
}
