import { idPattern } from './ids.ts';
import { named } from './named.ts';
import { type Static, Type } from './type.ts';
import { ATTESTED_TEXT } from './visible-text.ts';

/** Who did something. `system` is the coordinator itself, `anonymous` a caller without valid credentials. */
export const ActorRef = named(
  'Actor',
  Type.Object(
    {
      kind: Type.Enum(['person', 'token', 'node', 'system', 'anonymous'], {
        description:
          'What it is. `person`: a person who is signed in to the panel. `system`: the coordinator itself. `anonymous`: a caller without valid credentials.',
      }),
      id: Type.Union([Type.String(), Type.Null()], { description: 'Null: it has none, as `system` and `anonymous`.' }),
      name: Type.String({ description: 'The label it had then.' }),
    },
    { additionalProperties: false, description: 'Who did it.' },
  ),
);
export type ActorRef = Static<typeof ActorRef>;

/** A person who is signed in to the panel, as the panel names them. The coordinator keeps no list of people. */
export const PersonRef = named(
  'PersonRef',
  Type.Object(
    {
      id: Type.String({ pattern: idPattern('user'), description: 'Identifies the person permanently.' }),
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: ATTESTED_TEXT,
        description: 'What others call them.',
      }),
    },
    { additionalProperties: false, description: 'The person it acts for.' },
  ),
);
export type PersonRef = Static<typeof PersonRef>;
