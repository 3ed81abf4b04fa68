import type { EventRecord } from '@meshwork/contract';
import type { CallOptions } from './requests.ts';
import { readBlocks, type SseBlock } from './sse.ts';

/** Events before `oldest` were missed and are no longer kept: read everything again. */
interface EventReset {
  readonly type: 'reset';
  readonly oldest: number;
}

export type StreamedEvent = EventRecord | EventReset;

export interface EventsOptions extends CallOptions {
  /** Called when the stream broke and will be resumed. Undefined: the server ended it normally. */
  readonly broke?: ((error: unknown) => void) | undefined;
  /** Called whenever a connection has opened, before its first event: nothing that happens from now on is missed. */
  readonly opened?: (() => void) | undefined;
}

/** A coordinator sends something every 15 seconds. A stream that is silent for this long is broken. */
export const EVENTS_SILENCE_MS = 45_000;

export interface Break {
  /** Undefined: the server ended the stream normally. */
  readonly error: unknown;
  /** Attempts since the last data was received, the one that failed included. */
  readonly failures: number;
  /** Whether the stream has been open at all. From then on it is worth coming back for, however long it takes. */
  readonly was_open: boolean;
  /** How long the server asked to wait. */
  readonly retry_ms: number | undefined;
}

/** Where events come from: one connection at a time. */
interface EventSource {
  open(last_event_id: string | undefined): Promise<Connection>;
  /** Waits before the next connection. Throws when another attempt is pointless; false: the caller has stopped. */
  comeBack(how: Break): Promise<boolean>;
}

interface Connection extends Disposable {
  readonly lines: AsyncIterable<string>;
  /** What to throw for a block that is none of an event stream's. */
  unexpected(what: string): Error;
}

/** Every event once and in order, across as many connections as it takes. */
export async function* followEvents(source: EventSource): AsyncGenerator<StreamedEvent> {
  let last_event_id: string | undefined;
  let state: Break = { error: undefined, failures: 0, was_open: false, retry_ms: undefined };
  do {
    let error: unknown;
    try {
      using connection = await source.open(last_event_id);
      state = { ...state, was_open: true };
      for await (const block of readBlocks(connection.lines)) {
        // Only a delivered event counts as received: a reader that fails here gets the same event again.
        const event = readEvent(block, connection);
        if (event !== undefined) yield event;
        last_event_id = block.id ?? last_event_id;
        state = { ...state, failures: 0, retry_ms: block.retry_ms ?? state.retry_ms };
      }
    } catch (failure) {
      error = failure;
    }
    state = { ...state, error, failures: state.failures + 1 };
  } while (await source.comeBack(state));
}

function readEvent({ event, data }: SseBlock, connection: Connection): StreamedEvent | undefined {
  if (data === undefined) return undefined;
  try {
    const parsed: unknown = JSON.parse(data);
    return event === 'reset' ? { type: 'reset', oldest: (parsed as EventReset).oldest } : (parsed as EventRecord);
  } catch {
    throw connection.unexpected(`with a stream whose event "${event}" is not JSON`);
  }
}
