/** What really became of an attempt, beside what explain says of it. */

import { ATTEMPT_OUTCOMES } from '../../heartbeat/probe-kinds.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { LINK_PATHS } from '../../path-words.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { Explanation, exampleExplanation, VERDICTS } from './explanation.ts';

export const REALITIES = ['passed', 'blocked', 'unknown'] as const;
export type Reality = (typeof REALITIES)[number];

const fields = <P extends Parameters<typeof Type.Object>[0]>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Attempt = fields(
  {
    node: Type.String({ description: 'The node that made it.' }),
    address: Type.String({ description: 'Where to.' }),
    outcome: Type.Enum(ATTEMPT_OUTCOMES, {
      description:
        '`refused`: it arrived, and nothing listens there. `sent`: over UDP, without an answer. `unreachable`: the host has no way there, or was answered that there is none.',
    }),
    took_ms: count('Until then.'),
    detail: maybe(Type.String(), 'In the words of the operating system. Null: there are none.'),
  },
  'What the source tried.',
);

const Arrival = fields(
  {
    node: Type.String({ description: 'The node that watched: the destination, or the one that forwards there.' }),
    arrived: count('Packets of the attempt that arrived at its host.'),
    passed: count('Those that every packet filter of the host let through.'),
    path: maybe(Type.Enum(LINK_PATHS), 'How packets of the source come there. Null: not known.'),
    interface: maybe(Type.String(), 'By which they arrived. Null: none did.'),
    rule: maybe(Type.String(), 'The rule that decided, as nftables lists it. Null: none was seen.'),
  },
  'What the other end saw.',
);

export const ProbeReport = named(
  'ProbeReport',
  Type.Object(
    {
      reality: Type.Enum(REALITIES, {
        description:
          '`passed`: packets arrived and an answer came back. `blocked`: they did not get through. `unknown`: it could not be tried, or does not show.',
      }),
      reason: Type.String({ description: 'In one sentence.' }),
      agrees: maybe(
        Type.Boolean(),
        'Whether the verdict says what happened. Null: one of the two is unknown, so there is nothing to compare.',
      ),
      attempt: maybe(Attempt, 'Null: no attempt was made.'),
      arrival: maybe(Arrival, 'Null: the other end did not watch.'),
      explanation: Explanation,
      took_ms: count('All of it.'),
    },
    { additionalProperties: false, description: 'What really happened, beside the explanation.' },
  ),
);
export type ProbeReport = Static<typeof ProbeReport>;

export const exampleProbeReport: ProbeReport = {
  reality: 'blocked',
  reason: 'The packet of laptop-3 arrived at git-1, and its packet filter dropped it.',
  agrees: true,
  attempt: { node: 'laptop-3', address: '100.64.0.7', outcome: 'timed_out', took_ms: 400, detail: null },
  arrival: {
    node: 'git-1',
    arrived: 1,
    passed: 0,
    path: 'direct',
    interface: 'mesh0',
    rule: 'inet mesh policy_in: counter name "denied_in" drop',
  },
  explanation: exampleExplanation,
  took_ms: 612,
};

const Disagreement = fields(
  {
    at: Timestamp('When.'),
    from: Type.String({ description: 'The source node.' }),
    to: Type.String({ description: 'The address that was tried.' }),
    port: Type.String({ description: 'The port: `tcp:22`.' }),
    report: ProbeReport,
    command: Type.String({ description: 'The command that tries it again.' }),
  },
  'An answer of explain that was not what happened.',
);

export const SelfCheck = named(
  'SelfCheck',
  Type.Object(
    {
      since: Timestamp('Since when this coordinator has been counting.'),
      checks: Type.Array(
        fields(
          {
            verdict: Type.Enum(VERDICTS, { description: 'What explain said.' }),
            reality: Type.Enum(REALITIES, { description: 'What a real attempt showed.' }),
            count: count('How often.'),
          },
          'A kind of outcome.',
        ),
        { description: 'How often explain said what, and what was so. Combinations that never came up are left out.' },
      ),
      total: count('Checks that were made.'),
      unknown: count('Those of which explain could not say more than unknown.'),
      disagreed: count('Those where the verdict was not what happened.'),
      disagreements: Type.Array(Disagreement, { description: 'The last of them, newest first.' }),
    },
    { additionalProperties: false },
  ),
);
export type SelfCheck = Static<typeof SelfCheck>;

export const exampleSelfCheck: SelfCheck = {
  since: '2026-11-15T09:30:00Z',
  checks: [
    { verdict: 'allowed', reality: 'passed', count: 1210 },
    { verdict: 'denied', reality: 'blocked', count: 1093 },
    { verdict: 'unknown', reality: 'blocked', count: 12 },
  ],
  total: 2315,
  unknown: 12,
  disagreed: 0,
  disagreements: [],
};
