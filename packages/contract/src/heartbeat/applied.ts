/** What became on the node of what it was sent: what is in effect, what was put back, and how commands ended. */
import { idPattern } from '../ids.ts';
import { Strict } from '../operation.ts';
import { Timestamp } from '../timestamp.ts';
import { type Static, Type } from '../type.ts';
import { MAX_ANSWER_BYTES } from './limits.ts';
import { APPLIED_SECTIONS } from './sections.ts';

/** A change that the agent took back, because it could not reach the coordinator any more. */
export const RolledBack = Strict(
  {
    revision: Type.Integer({ minimum: 0, description: 'The revision that was taken back.' }),
    after_s: Type.Integer({ minimum: 1, description: 'How long no heartbeat had been answered after it was applied.' }),
    at: Timestamp('When it was taken back, by the node’s clock.'),
  },
  {
    description:
      'Present: the node refuses this content, because it was cut off by it. It is tried again when it changes.',
  },
);
export type RolledBack = Static<typeof RolledBack>;

export const Applied = Strict(
  {
    revision: Type.Integer({ minimum: 0, description: 'The revision whose content is in effect.' }),
    digest: Type.String({
      pattern: '^[0-9a-f]{12}$',
      description: 'Of what is in effect, read back: over the JSON of each record exactly as it was sent.',
    }),
    error: Type.Optional(Type.String({ maxLength: 500, description: 'Why no more than this is in effect.' })),
    rolled_back: Type.Optional(RolledBack),
  },
  { description: 'What is in effect of one section.' },
);
export type Applied = Static<typeof Applied>;

/** A change on the node that its agent had not made, and reverted. */
export const Repair = Strict({
  section: Type.Enum(APPLIED_SECTIONS, { description: 'The section that was not in effect any more.' }),
  at: Timestamp('When it was put back, by the node’s clock.'),
  found: Type.String({ maxLength: 200, description: 'What was found in its place.' }),
});
export type Repair = Static<typeof Repair>;

export const CommandResult = Strict({
  id: Type.String({ pattern: idPattern('operation'), description: 'Of the command.' }),
  outcome: Type.Enum(['done', 'failed'], { description: 'How it ended.' }),
  detail: Type.Optional(Type.String({ maxLength: 500, description: 'What went wrong, or is worth saying.' })),
  data: Type.Optional(
    Type.String({
      maxLength: MAX_ANSWER_BYTES,
      description: 'The answer: JSON as text, 64 KiB at most. Absent: the command needs none.',
    }),
  ),
});
export type CommandResult = Static<typeof CommandResult>;
