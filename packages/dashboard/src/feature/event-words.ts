/** What happened, in a few words. Each feature has them for its own events; this finds and completes them. */
import type { EventData, EventRecord, EventType } from '@meshwork/contract';

type EventFamily = EventType extends `${infer Name}.${string}` ? Name : never;
type TypesOf<F extends EventFamily> = Extract<EventType, `${F}.${string}`>;

/** The events whose type begins with one word: `node.joined`, `node.stale`. */
export interface FamilyWords<F extends EventFamily> {
  /** In the filter of the events page. */
  readonly title: string;
  /** What it happened to, as a sentence begins. */
  readonly subject: (event: EventRecord) => string;
  /** Its page. Null: it has none. */
  readonly to: (event: EventRecord) => string | null;
  /** The rest of the sentence. */
  readonly happened: { readonly [T in TypesOf<F>]: string | ((data: EventData<T>) => string) };
  /** Areas of operations whose answers are stale after such an event. The audit trail always is. */
  readonly stale: readonly string[];
}

export type EventFamilies = { readonly [F in EventFamily]?: FamilyWords<F> };

interface EventWords {
  readonly subject: string;
  readonly happened: string;
  readonly to: string | null;
}

interface Wording {
  readonly events?: EventFamilies;
}

export function eventWords(features: readonly Wording[], event: EventRecord): EventWords {
  const words = familyOf(features, event.type);
  const happened = words?.happened[event.type];
  // A newer coordinator may send what this page does not know yet.
  if (words === undefined || happened === undefined)
    return { subject: event.subject.id, happened: event.type, to: null };
  return {
    subject: words.subject(event),
    happened: typeof happened === 'string' ? happened : happened(event.data),
    to: words.to(event),
  };
}

/** Areas whose answers are stale after an event. Every change has its entry in the audit trail. */
export function staleAreas(features: readonly Wording[], type: EventType): readonly string[] {
  return [...(familyOf(features, type)?.stale ?? []), 'audit'];
}

/** As a sentence names it: by its name where the event has one, otherwise by its id. */
export function nameIn({ subject, data }: EventRecord): string {
  return typeof data.name === 'string' ? data.name : subject.id;
}

/** The words of a family, with which one it is no longer in the type. */
interface AnyFamily extends Pick<FamilyWords<EventFamily>, 'title' | 'subject' | 'to' | 'stale'> {
  readonly happened: Readonly<Partial<Record<EventType, string | ((data: EventRecord['data']) => string)>>>;
}

function familyOf(features: readonly Wording[], type: EventType): AnyFamily | undefined {
  const family = type.slice(0, type.indexOf('.')) as EventFamily;
  return features.find(({ events }) => events?.[family] !== undefined)?.events?.[family] as AnyFamily | undefined;
}
