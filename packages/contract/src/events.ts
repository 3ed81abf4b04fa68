/**
 * Every event of the stream. The table is the single source: the stream, webhooks and the docs read it.
 * Its rows stand in the areas.
 */

import { mergedTables } from './area.ts';
import { AREAS_BY_EVENTS } from './areas/areas.ts';
import { named } from './named.ts';
import { type Static, Type } from './type.ts';

export const EVENTS = mergedTables(AREAS_BY_EVENTS, 'events');

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];
type EventDataByType = { [T in EventType]: Static<(typeof EVENTS)[T]['data']> };
export type EventData<T extends EventType> = EventDataByType[T];

/** What an event can happen to: the first word of its type. */
type SubjectKind = EventType extends `${infer Kind}.${string}` ? Kind : never;
const SUBJECT_KINDS = [
  ...new Set(EVENT_TYPES.map((type) => type.slice(0, type.indexOf('.')))),
] as readonly SubjectKind[];

export const EventRecord = named(
  'Event',
  Type.Object(
    {
      seq: Type.Integer({ description: 'Its place in the stream, rising. Also the `id` of the server-sent event.' }),
      type: Type.Enum(EVENT_TYPES, { description: 'What happened.' }),
      at: Type.String({ format: 'date-time', description: 'To the millisecond.' }),
      subject: Type.Object(
        {
          kind: Type.Enum(SUBJECT_KINDS, { description: 'What kind of thing.' }),
          id: Type.String({ description: 'Which one.' }),
        },
        { additionalProperties: false, description: 'What it happened to.' },
      ),
      revision: Type.Integer({ description: 'The revision of the mesh that came with it.' }),
      data: Type.Record(Type.String(), Type.Unknown(), { description: 'More, by type.' }),
    },
    { additionalProperties: false },
  ),
);
export type EventRecord = Static<typeof EventRecord>;
