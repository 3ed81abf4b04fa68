/** Whether an event matches the filters. */
import type { EventRecord } from '@meshwork/contract';

interface EventFilter {
  /** `node.joined`, or `node.*` for all about nodes. */
  readonly type?: string;
  /** Part of anything that the event says, in any case. */
  readonly q?: string;
}

export function isWanted(event: EventRecord, { type, q }: EventFilter): boolean {
  return isOfType(event, type) && saysPart(event, q);
}

function isOfType(event: EventRecord, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  return wanted.endsWith('.*') ? event.type.startsWith(wanted.slice(0, -1)) : event.type === wanted;
}

function saysPart({ type, subject, data }: EventRecord, q: string | undefined): boolean {
  if (q === undefined) return true;
  return `${type} ${subject.id} ${JSON.stringify(data)}`.toLowerCase().includes(q.toLowerCase());
}
