/** Why a node can reach something, or why not. */

import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { Strict } from '../../operation.ts';
import { type Static, Type } from '../../type.ts';

export const VERDICTS = ['allowed', 'denied', 'unknown'] as const;
const STEP_OUTCOMES = ['pass', 'fail', 'unknown', 'note'] as const;
/** In the order of the walk. */
const EXPLAIN_CHECKS = [
  'source',
  'destination',
  'name',
  'boundary',
  'grant',
  'route',
  'firewall',
  'underlay',
  'host',
  'service',
  'applied',
  'path',
  'relay',
  'link',
  'certificate',
] as const;
export type ExplainCheck = (typeof EXPLAIN_CHECKS)[number];

/** What is asked of explain, and of a probe. */
export const ReachQuestion = Strict({
  from: Type.String({ minLength: 1, maxLength: 64, description: 'The source node: name or id.' }),
  to: Type.String({
    minLength: 1,
    maxLength: 80,
    description: 'Name or id of a node, `service:NAME`, or an address in the mesh or behind it.',
  }),
  port: Type.Optional(
    Type.String({
      maxLength: 16,
      description: '`tcp:22`, `udp:53` or `icmp`. Absent: that of the service; else `icmp`.',
    }),
  ),
});

const Step = named(
  'ExplanationStep',
  Type.Object(
    {
      check: Type.Enum(EXPLAIN_CHECKS, { description: 'What was checked.' }),
      outcome: Type.Enum(STEP_OUTCOMES, {
        description:
          '`fail`: traffic stops here. `unknown`: cannot be determined at this moment. `note`: traffic is not affected now; programs, or a later change, may be.',
      }),
      detail: Type.String({ description: 'What was found.' }),
    },
    { additionalProperties: false },
  ),
);
export type ExplanationStep = Static<typeof Step>;

const End = (description: string) =>
  Type.Object(
    {
      id: maybe(Type.String(), 'Id of the node. Null: it is not a node, or not one that you may see.'),
      name: Type.String({ description: 'Its name, or the text of the request.' }),
    },
    { additionalProperties: false, description },
  );

const FamilyVerdict = Type.Object(
  {
    family: Type.Enum([4, 6], { description: 'The address family.' }),
    address: Type.String({ description: 'The address of the destination.' }),
    verdict: Type.Enum(VERDICTS, { description: 'For this family alone.' }),
    reason: Type.String({ description: 'In one sentence.' }),
  },
  { additionalProperties: false },
);

const Condition = Type.Object(
  {
    node: Type.String({ description: 'Name of the node that the rule applies to.' }),
    rule: Type.String({ description: 'Id of the firewall rule.' }),
    up_to: Type.Object(
      {
        count: Type.Integer({ minimum: 1, description: 'New connections.' }),
        per: Type.Enum(['second', 'minute', 'hour'], { description: 'In which time.' }),
      },
      { additionalProperties: false, description: 'What is above this rate is dropped.' },
    ),
    dropped: maybe(Type.Integer({ minimum: 0 }), 'Packets dropped so far. Null: not known.'),
    detail: Type.String({ description: 'In one sentence.' }),
  },
  { additionalProperties: false },
);

export const Explanation = named(
  'Explanation',
  Type.Object(
    {
      verdict: Type.Enum(VERDICTS, {
        description:
          '`allowed`: each end heard the other just now, and nothing stops it. `denied`: something that the mesh controls stops it. `unknown`: neither is certain, or an end is not visible to you.',
      }),
      reason: Type.String({ description: 'In one sentence.' }),
      from: End('The source.'),
      to: End('The destination. For a network behind the mesh, the node that forwards to it.'),
      port: Type.String({ description: 'The requested port, written out: `tcp:22`.' }),
      grant: maybe(Type.String(), 'The grant that allows it: `developers -> git-servers`. Null: none does.'),
      steps: Type.Array(Step, { description: 'Every check, in order.' }),
      fix: Type.Array(Type.String(), {
        description:
          'Changes that would allow it, each by itself, the smallest first. One that takes several steps has a numbered line for each. Empty: it is allowed.',
      }),
      families: Type.Array(FamilyVerdict, {
        description:
          'The answer for each address family, where a name has addresses of both. If they differ, the verdict is `unknown`. Empty: only one family is concerned.',
      }),
      conditions: Type.Array(Condition, {
        description: 'Rates of firewall rules that limit what is allowed. Empty: none does.',
      }),
      revision: Type.Integer({ description: 'The revision of the mesh that was explained.' }),
    },
    { additionalProperties: false, description: 'Why a node can reach something, or why not.' },
  ),
);
export type Explanation = Static<typeof Explanation>;

export const exampleExplanation: Explanation = {
  verdict: 'denied',
  reason: 'No grant lets laptop-3 reach git-1 on tcp:22.',
  from: { id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4p', name: 'laptop-3' },
  to: { id: 'node_01jcqv5y2fe9rs6w4m1x8k3b7t', name: 'git-1' },
  port: 'tcp:22',
  grant: null,
  steps: [
    { check: 'source', outcome: 'pass', detail: 'laptop-3 is active, last seen 3 s ago.' },
    { check: 'destination', outcome: 'pass', detail: 'git-1 is active, last seen 8 s ago.' },
    {
      check: 'name',
      outcome: 'note',
      detail:
        'On laptop-3, git-1.mesh does not resolve: a node knows the names of its peers, and git-1 is none. Packets are not affected.',
    },
    { check: 'boundary', outcome: 'pass', detail: 'Both are in platform/git/production.' },
    {
      check: 'grant',
      outcome: 'fail',
      detail: 'developers -> git-servers allows tcp:22, and laptop-3 is not in developers.',
    },
  ],
  fix: ['Give laptop-3 the tag role:dev, which is what developers are known by.'],
  families: [
    {
      family: 4,
      address: '100.64.0.2',
      verdict: 'denied',
      reason: 'No grant lets laptop-3 reach git-1 on tcp:22.',
    },
    { family: 6, address: 'fd00:64::2', verdict: 'denied', reason: 'No grant lets laptop-3 reach git-1 on tcp:22.' },
  ],
  conditions: [],
  revision: 1184,
};
