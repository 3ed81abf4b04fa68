/** What a gateway is sent of WAF policies: those that its ingresses use, and what they make of a request. */
import { idPattern } from '../ids.ts';
import { named } from '../named.ts';
import { type Static, Type } from '../type.ts';
import { WafExclusionsInForce, WafRules } from '../waf-rules.ts';
import { record } from './section-record.ts';

export const WafAssignment = named(
  'WafAssignment',
  record(
    {
      id: Type.String({ pattern: idPattern('waf'), description: 'Id of the policy.' }),
      rules: WafRules,
      exclusions: WafExclusionsInForce,
    },
    'A WAF policy that an ingress of the node uses.',
  ),
);
export type WafAssignment = Static<typeof WafAssignment>;

export const WafSection = named(
  'WafSection',
  Type.Array(WafAssignment, { description: 'All that ingresses of the node use, in order of id.' }),
);
export type WafSection = Static<typeof WafSection>;
