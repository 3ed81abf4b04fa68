import type { WafAssignment } from '@meshwork/contract';
import { DEFAULT_WAF_RULES } from '@meshwork/contract/vocabulary';

type WafRules = WafAssignment['rules'];
type Rule = WafRules['rules'][number];
type Condition = Rule['when'][number];
type Exclusion = WafAssignment['exclusions'][number];

interface PolicyOver extends Partial<Omit<WafRules, 'requests' | 'clients' | 'paranoia' | 'thresholds'>> {
  readonly requests?: Partial<WafRules['requests']>;
  readonly clients?: Partial<WafRules['clients']>;
  readonly paranoia?: Partial<WafRules['paranoia']>;
  readonly thresholds?: Partial<WafRules['thresholds']>;
  readonly exclusions?: Exclusion[];
}

export function wafId(number: number): string {
  return `waf_${String(number).padStart(26, '0')}`;
}

/** The policy with this number. It blocks, but for what is said. */
export function policyOf(number: number, over: PolicyOver = {}): WafAssignment {
  const { exclusions = [], requests, clients, paranoia, thresholds, ...rules } = over;
  const usual: WafRules = DEFAULT_WAF_RULES;
  return {
    id: wafId(number),
    rules: {
      ...usual,
      mode: 'block',
      ...rules,
      requests: { ...usual.requests, ...requests },
      clients: { ...usual.clients, ...clients },
      paranoia: { ...usual.paranoia, ...paranoia },
      thresholds: { ...usual.thresholds, ...thresholds },
    },
    exclusions,
  };
}

/** The rule of an operator. */
export function ruleOf(over: Partial<Omit<Rule, 'when'>> & { readonly when: readonly Partial<Condition>[] }): Rule {
  const { when, ...rule } = over;
  return { name: 'Our rule', action: 'block', score: 0, ...rule, when: when.map(conditionOf) };
}

function conditionOf(over: Partial<Condition>): Condition {
  return { part: 'argument', name: null, test: 'contains', values: [], negated: false, transforms: [], ...over };
}

export function exclusionOf(over: Partial<Exclusion>): Exclusion {
  return {
    rule: null,
    tag: null,
    host: 'www-1.example.com',
    path: '/',
    below: false,
    parameter: null,
    ...over,
  };
}
