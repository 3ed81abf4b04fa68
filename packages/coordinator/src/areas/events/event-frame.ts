import type { EventRecord, EventType, Scope } from '@meshwork/contract';
import type { Entry } from '@meshwork/store';
import type { EventBody } from '../../mesh/event-entry.ts';

/** An event on its way out: made once, and given to every stream that wants it. */
export interface FramedEvent {
  readonly seq: number;
  readonly type: EventType;
  /** Who may hear of it: those whose scope covers this. It stays here. */
  readonly scope: Scope;
  readonly frame: string;
}

export function framed({ seq, revision, body }: Entry): FramedEvent {
  const { type, at, subject, scope, data } = JSON.parse(body) as EventBody;
  const record: EventRecord = { seq, type, at, subject, revision, data };
  return { seq, type, scope, frame: `id: ${seq}\nevent: ${type}\ndata: ${JSON.stringify(record)}\n\n` };
}

/**
 * The first words of every stream: how soon to come back after a break, and from where. Without the place, a stream that
 * breaks before its first event would start anew, and what happened in between would be lost.
 */
export function openingFrame(position: number): string {
  return `retry: 2000\nid: ${position}\n\n`;
}

/** What lies between is no longer kept. The place makes a stream that breaks now go on from here, not reset again. */
export function resetFrame(oldest: number): string {
  return `id: ${oldest - 1}\nevent: reset\ndata: ${JSON.stringify({ oldest })}\n\n`;
}

/** Keeps the connection open. `position`: how far the stream has come, for those who may know how much there is. */
export function stillHereFrame(position: number | undefined): string {
  return position === undefined ? ': still here\n\n' : `: still here\nid: ${position}\n\n`;
}
