/** The mesh at a glance: counts, and what needs attention. */

import { defineArea } from '../../area.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { defineOperations } from '../../operation.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, type TInteger, type TSchema, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_STATES, type NodeState } from '../nodes/vocabulary.ts';

/** Those that are there: a removed node is not counted. */
export const PRESENT_STATES = NODE_STATES.filter((state) => state !== 'removed');
export type PresentState = Exclude<NodeState, 'removed'>;

/** Most urgent first. */
export const SEVERITIES = ['critical', 'warning', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Most urgent first among equally severe ones: what many nodes depend on stands before a single node. */
export const ATTENTION_KINDS = [
  'relay_down',
  'ingress_unserved',
  'ingress_without_targets',
  'waf_not_in_force',
  'ingress_drain_stuck',
  'route_down',
  'node_unreachable',
  'node_stale',
  'given_certificate_expired',
  'given_certificate_unfit',
  'certificate_order_overdue',
  'authority_expiring',
  'certificate_overdue',
  'given_certificate_expiring',
  'certificate_order_failing',
  'node_rolled_back',
  'node_drifting',
  'node_clock',
  'explain_disagreed',
  'operation_failed',
  'node_pending',
  'token_expiring',
  'grant_expiring',
  'route_overlap',
  'route_refused',
  'route_unapproved',
  'node_quarantined',
  'firewall_finding',
  'waf_rule_set_old',
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

/** As many as one answer names; `attention_total` counts the rest. */
export const MAX_ATTENTION = 50;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const whole = <P extends Record<string, TSchema>>(fields: P, description: string) =>
  Type.Object(fields, { additionalProperties: false, description });

export const Attention = named(
  'Attention',
  whole(
    {
      kind: Type.Enum(ATTENTION_KINDS, { description: 'What is wrong.' }),
      severity: Type.Enum(SEVERITIES, {
        description: '`critical`: something does not work. `warning`: it will not, or may not. `notice`: good to know.',
      }),
      subject: whole(
        {
          kind: Type.Enum(
            [
              'node',
              'operation',
              'relay',
              'route',
              'ingress',
              'token',
              'policy',
              'firewall',
              'authority',
              'given_certificate',
              'certificate_order',
            ],
            {
              description: 'What kind of thing.',
            },
          ),
          id: Type.String({ description: 'Which one.' }),
          name: Type.String({ description: 'What people call it.' }),
        },
        'What it is about.',
      ),
      title: Type.String({ description: 'What is wrong, in a few words.' }),
      detail: Type.String({ description: 'The same at length.' }),
      since: maybe(Timestamp('Since when; for what is about to happen, when it will. Null: not known.')),
      fix: maybe(Type.String(), 'What to do about it. Null: no action is needed.'),
    },
    'Something that needs attention.',
  ),
);
export type Attention = Static<typeof Attention>;

const byState = Object.fromEntries(PRESENT_STATES.map((state) => [state, count(`Nodes that are ${state}.`)])) as Record<
  PresentState,
  TInteger
>;

export const Overview = named(
  'Overview',
  whole(
    {
      revision: Type.Integer({ description: 'The revision of the mesh that was counted.' }),
      nodes: whole(
        {
          total: count('Nodes that are there.'),
          by_state: whole(byState, 'How many are in which state.'),
          drifting: count('Nodes that drift from their desired state.'),
          pending: count('Nodes that await approval.'),
        },
        'The nodes.',
      ),
      operations: maybe(
        whole(
          {
            open: count('Operations that are under way.'),
            failed_lately: count(
              'Those that failed or timed out in the last 24 hours, and were not repeated with success since.',
            ),
          },
          'Operations on nodes.',
        ),
        'Null: the caller may not read operations.',
      ),
      policy: maybe(
        whole(
          {
            version: count('Of the policy in effect. 0: none has been written yet.'),
            groups: count('Its groups.'),
            grants: count('Its grants.'),
            tests: count('Its tests.'),
            stale: Type.Enum(['keep', 'drop'], {
              description: 'Whether peers keep a node whose heartbeat is overdue.',
            }),
          },
          'The policy in effect.',
        ),
        'Null: the caller may not read the policy, which needs the whole mesh as scope.',
      ),
      explain: maybe(
        whole(
          {
            checked: count('Explanations that were compared with a real attempt, since the coordinator started.'),
            disagreed: count('Those that were not what happened.'),
            unknown: count('Those that could say no more than unknown.'),
          },
          'Whether explanations are what happens.',
        ),
        'Null: the caller may not read the policy, which needs the whole mesh as scope.',
      ),
      relays: maybe(
        whole(
          { total: count('Relays that are there.'), healthy: count('Those that nodes have proven to work.') },
          'The relays.',
        ),
        'Null: the caller may not read relays.',
      ),
      ingress: maybe(
        whole(
          { total: count('Ingresses that are there.'), served: count('Those that a gateway proves to serve.') },
          'The ingresses.',
        ),
        'Null: the caller may not read ingresses.',
      ),
      tokens: maybe(
        whole(
          {
            active: count('Tokens that work, without those of people who are signed in.'),
            expiring: count('Those that expire within a week, though they were made for longer.'),
          },
          'The tokens.',
        ),
        'Null: the caller may not read tokens.',
      ),
      attention: Type.Array(Attention, {
        maxItems: MAX_ATTENTION,
        description: 'What needs attention, most urgent first.',
      }),
      attention_total: count('How many there are, including those beyond the list.'),
    },
    'The mesh at a glance.',
  ),
);
export type Overview = Static<typeof Overview>;

const exampleOverview: Overview = {
  revision: 1184,
  nodes: {
    total: 48,
    by_state: { pending: 0, quarantined: 0, unreachable: 1, stale: 0, joining: 0, draining: 0, active: 47 },
    drifting: 0,
    pending: 0,
  },
  operations: { open: 1, failed_lately: 0 },
  policy: { version: 7, groups: 4, grants: 6, tests: 3, stale: 'drop' },
  explain: { checked: 2315, disagreed: 0, unknown: 12 },
  relays: { total: 2, healthy: 2 },
  ingress: { total: 3, served: 3 },
  tokens: { active: 5, expiring: 0 },
  attention: [
    {
      kind: 'node_unreachable',
      severity: 'critical',
      subject: { kind: 'node', id: exampleNode.id, name: 'git-1' },
      title: 'git-1 is unreachable',
      detail: 'Its heartbeat has been overdue since 2026-11-15T09:35:00Z.',
      since: '2026-11-15T09:35:00Z',
      fix: 'Check that the machine and its agent are running and can reach the coordinator. If the node is gone permanently, remove it.',
    },
  ],
  attention_total: 1,
};

const overviewOperations = defineOperations({
  'overview.show': {
    method: 'GET',
    path: '/v1/overview',
    summary: 'Show the state of the mesh and what needs attention',
    description: 'Counts only what lies within your scope and what you may read.',
    permission: 'nodes:read',
    reach: 'scoped',
    answer: { status: 200, description: 'The mesh at a glance.', schema: Overview },
    errors: [],
    example: { answer: exampleOverview },
  },
});

export const overviewArea = defineArea({
  name: 'overview',
  title: 'Overview',
  description: 'The state of the mesh, and what needs attention.',
  operations: overviewOperations,
});
