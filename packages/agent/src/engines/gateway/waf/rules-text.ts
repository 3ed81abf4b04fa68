/** The rules that nginx loads, once for all: text from the records of policies and a copy of the rule set. */
import type { WafAssignment } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';
import { baseRules } from './base-rules.ts';
import { namesCountries } from './country-file.ts';
import { CHECKING, dispatched, SETTING } from './policy-dispatch.ts';
import { checkingRules, END, type RuleSetKind, settingRules } from './policy-rules.ts';
import { SUMMARY } from './rule-numbers.ts';
import { secMarker, secRule } from './seclang-text.ts';

export interface LoadedRuleSet extends RuleSetKind {
  /** Paths of its files, in the order in which they are loaded. The first sets the scores to nothing. */
  readonly paths: readonly string[];
}

interface RulesInput {
  readonly policies: readonly WafAssignment[];
  readonly set: LoadedRuleSet;
  readonly temp: string;
  readonly audit_log: string;
  /** Path of the operator's data file of countries. Read only where a policy names some. */
  readonly countries: string | undefined;
}

export function rulesText({ policies, set, countries, ...base }: RulesInput): string {
  for (const { id } of policies) if (!isId('waf', id)) throw new Error(`${JSON.stringify(id)} is no id of a policy`);
  const [first, ...others] = set.paths.map((path) => `Include ${path}`);
  return [
    '# Written by the Meshwork agent from the record of the mesh. Changes are undone.',
    ...baseRules({
      policies,
      countries: policies.some(({ rules }) => namesCountries(rules)) ? countries : undefined,
      ...base,
    }),
    ...dispatched(SETTING, policies, (policy, place) => settingRules(place, policy, set)),
    ...(first === undefined ? [] : [first]),
    ...dispatched(CHECKING, policies, (policy, place) => checkingRules(place, policy, set)),
    ...others,
    secMarker(END),
    summary(set.major),
    '',
  ].join('\n');
}

/** What the scores of a request were, level by level. */
function summary(major: number): string {
  const inbound = major >= 4 ? 'inbound_anomaly_score' : 'anomaly_score';
  const levels = (name: string) => [1, 2, 3, 4].map((level) => `%{tx.${name}_pl${level}}`).join('/');
  return secRule({
    id: SUMMARY,
    phase: 5,
    when: [{ variables: `TX:/^${inbound}_pl[1-4]$/|TX:/^outbound_anomaly_score_pl[1-4]$/`, operator: '@gt 0' }],
    actions: ['pass', 'log', 'auditlog', `msg:'${levels(inbound)} ${levels('outbound_anomaly_score')}'`],
  });
}
