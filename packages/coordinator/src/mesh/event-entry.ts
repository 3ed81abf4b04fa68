import { type EventRecord, newId, type Scope } from '@meshwork/contract';
import type { Append } from '@meshwork/store';
import type { NewEvent } from './transaction.ts';

/** The log that events are kept in. */
export const EVENTS_LOG = 'events';

/** An event as it is stored; its place and revision are given at the commit. */
export interface EventBody extends Omit<EventRecord, 'seq' | 'revision'> {
  readonly scope: Scope;
}

/** Turns an event of a transaction into the log entry that is committed with it. */
export function eventEntry({ type, subject, scope, data }: NewEvent, now_ms: number): Append {
  const body: EventBody = { type, at: new Date(now_ms).toISOString(), subject, scope, data: { ...data } };
  return {
    log: EVENTS_LOG,
    id: newId('event', now_ms),
    at_ms: now_ms,
    actor: null,
    action: type,
    target: subject.id,
    body: JSON.stringify(body),
    chained: false,
  };
}
