import Type, { type Static } from 'typebox';
import { named } from './named.ts';

/** Who did something. `system` is the coordinator itself, `anonymous` someone without valid credentials. */
export const ActorRef = named(
  'Actor',
  Type.Object(
    {
      kind: Type.Enum(['token', 'node', 'system', 'anonymous'], {
        description: 'What it is. `system`: the coordinator itself. `anonymous`: someone without valid credentials.',
      }),
      id: Type.Union([Type.String(), Type.Null()], { description: 'Null: it has none, as `system` and `anonymous`.' }),
      name: Type.String({ description: 'The label it had then.' }),
    },
    { additionalProperties: false, description: 'Who did it.' },
  ),
);
export type ActorRef = Static<typeof ActorRef>;
