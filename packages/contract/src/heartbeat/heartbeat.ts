/** The heartbeat: request and answer. A node says `report.ts`, `observed.ts` and `applied.ts`, and is sent `section-contents.ts`. */

import { named } from '../named.ts';
import { NodeIdText } from '../node-fields.ts';
import { Strict } from '../operation.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, type TOptional, Type } from '../type.ts';
import { Applied, CommandResult } from './applied.ts';
import { MAX_PROBES } from './limits.ts';
import { Observed } from './observed.ts';
import { ProbeResult, Probes } from './probes.ts';
import { Report } from './report.ts';
import { SECTION_SCHEMAS, type SectionSchemas } from './section-contents.ts';
import { APPLIED_SECTIONS, type AppliedSection, SECTION_NAMES, type Section } from './sections.ts';

export const HeartbeatRequest = named(
  'Heartbeat',
  Strict({
    node: NodeIdText,
    boot_id: Type.String({
      pattern: '^[A-Za-z0-9_-]{8,64}$',
      description: 'Made anew each time the agent starts. A boot that was followed by another one is over.',
    }),
    seq: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Higher with each heartbeat of one boot. One that is not higher is refused.',
    }),
    revision: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'That of the last answer the agent holds. 0: it holds nothing and is sent everything.',
    }),
    sent_at: Type.Optional(Timestamp('The agent’s clock, so that one that is wrong is noticed.')),
    applied: Type.Optional(
      Strict(Object.fromEntries(APPLIED_SECTIONS.map((name) => [name, Type.Optional(Applied)])) as AppliedFields, {
        description: 'What is in effect, by section.',
      }),
    ),
    complete: Type.Optional(
      Type.Literal(true, {
        description:
          'Everything below is reported, and not only what changed: after a start, and on request. Links that do not fit follow in the next heartbeats.',
      }),
    ),
    report: Type.Optional(Report),
    observed: Type.Optional(Observed),
    results: Type.Optional(
      Type.Array(CommandResult, { maxItems: 100, description: 'How commands ended. Repeated until answered.' }),
    ),
    probe_results: Type.Optional(
      Type.Array(ProbeResult, { maxItems: MAX_PROBES, description: 'What came of probes. Each is sent once.' }),
    ),
  }),
);
type AppliedFields = Record<AppliedSection, TOptional<typeof Applied>>;
type SectionFields = { [S in Section]: TOptional<SectionSchemas[S]> };
export type HeartbeatRequest = Static<typeof HeartbeatRequest>;

export const HeartbeatReply = named(
  'HeartbeatReply',
  Type.Object(
    {
      revision: Type.Integer({ description: 'What the agent holds once it has taken this in.' }),
      next_s: Type.Number({ description: 'When to send the next one, in seconds from now. 0: at once.' }),
      report: Type.Optional(
        Type.Literal('everything', {
          description: 'The coordinator no longer has what the node reported: the next heartbeat reports all of it.',
        }),
      ),
      probes: Type.Optional(Probes),
      ...(Object.fromEntries(
        SECTION_NAMES.map((name) => [name, Type.Optional(SECTION_SCHEMAS[name])]),
      ) as SectionFields),
    },
    { additionalProperties: false },
  ),
);
export type HeartbeatReply = Static<typeof HeartbeatReply>;
