/** A host rule: what operators decide about the hosts themselves, beside the policy. The policy package compiles it. */

import { idPattern } from './ids.ts';
import { Strict } from './operation.ts';
import { type Static, Type } from './type.ts';
import { VISIBLE_NOTE } from './visible-text.ts';

export const FirewallRuleId = Type.String({ pattern: idPattern('firewall'), description: 'Id of the rule.' });

const Networks = (description: string) =>
  Type.Array(Type.String({ maxLength: 43 }), { minItems: 1, maxItems: 64, description });

/** What a rule does, wherever it applies. */
const ruleMeaning = {
  direction: Type.Enum(['in', 'out', 'forward'], {
    description:
      '`in`: a flow that is opened to the node. `out`: a flow that the node opens. `forward`: a flow that passes through it.',
  }),
  interface: Type.String({
    maxLength: 15,
    description:
      '`mesh`, `any` (the mesh included) or the name of an interface: where the packet comes in, with `out` where it leaves.',
  }),
  from: Type.Optional(Networks('Networks of the side that opens the flow. Absent: anywhere.')),
  to: Type.Optional(Networks('Networks of the other side. Absent: anywhere.')),
  protocol: Type.Enum(['any', 'tcp', 'udp', 'icmp'], { description: '`icmp` is that of IPv6 too.' }),
  ports: Type.Optional(
    Type.Array(Type.String({ maxLength: 11 }), {
      minItems: 1,
      maxItems: 64,
      description: 'Destination ports of `tcp` and `udp`: `22`, `8000-8999`. Absent: all.',
    }),
  ),
  action: Type.Enum(['accept', 'drop', 'log'], {
    description:
      '`drop`: no, whatever the policy grants. `accept`: no later rule is evaluated; what comes through the mesh still needs a grant. `log`: one line for each new flow, and on to the next rule.',
  }),
  rate: Type.Optional(
    Strict(
      {
        count: Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many new flows.' }),
        per: Type.Enum(['second', 'minute', 'hour'], { description: 'In which time.' }),
        burst: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'At once. Absent: 5.' })),
      },
      { description: 'New flows that an `accept` takes or a `log` writes down; above it the rule is not there.' },
    ),
  ),
};

/** The nodes it applies to, and what it does. */
export const ruleFields = {
  nodes: Type.Array(Type.String({ maxLength: 200 }), {
    minItems: 1,
    maxItems: 100,
    description:
      'Nodes it applies to: those that match one of `*`, `tag:role:git`, `node:git-1`, `scope:platform/git/*`.',
  }),
  ...ruleMeaning,
  enabled: Type.Boolean({ description: 'False: kept, and without effect.' }),
};
export const RuleNote = Type.String({ maxLength: 500, pattern: VISIBLE_NOTE, description: 'For people.' });

/** As sent to a node: in order, and only those that apply to it. */
export const NodeRule = Type.Object(
  { id: FirewallRuleId, ...ruleMeaning },
  { additionalProperties: false, description: 'A host rule of the node.' },
);
export type NodeRule = Static<typeof NodeRule>;
