import { covers, invalid, isWholeMesh } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Call, Stream } from '../handler.ts';
import { type FramedEvent, openingFrame, resetFrame, stillHereFrame } from './event-frame.ts';
import type { EventFeed } from './feed.ts';
import type { Subscription } from './subscription.ts';
import { typeFilter } from './type-filter.ts';

type EventCall = Call<'events.stream'>;

/**
 * Answers in the same breath, without waiting for anything: so the room that is found here is taken, by the first line,
 * before anybody else can look.
 */
export function followEvents(mesh: Mesh, feed: EventFeed, call: EventCall): Stream {
  const isOfType = typeFilter(call.query.type);
  const { scope, id } = call.actor;
  const isWanted = (event: FramedEvent) => isOfType(event.type) && covers(scope, event.scope);
  const start = startOf(call);
  feed.ensureRoomFor(id);
  const stream = feed.newSubscription(id, () => call.ensureStillAllowed());
  const lines = linesOf({ mesh, feed, call, stream, isWanted, start });
  return { type: 'text/event-stream', lines, cut: stream.cut };
}

/** Undefined: now. */
function startOf({ last_event_id, query }: EventCall): number | undefined {
  if (last_event_id === undefined || last_event_id === '') return query.after;
  if (!/^\d{1,15}$/.test(last_event_id)) {
    throw invalid('header/last-event-id', `"${last_event_id}" is not the id of an event, which is a whole number`);
  }
  return Number(last_event_id);
}

interface Following {
  readonly mesh: Mesh;
  readonly feed: EventFeed;
  readonly call: EventCall;
  readonly stream: Subscription;
  readonly isWanted: (event: FramedEvent) => boolean;
  readonly start: number | undefined;
}

async function* linesOf({ mesh, feed, call, stream, isWanted, start }: Following): AsyncGenerator<string> {
  feed.begin(stream);
  call.whenGone(() => stream.end());
  try {
    let position = start ?? (await feed.head());
    yield openingFrame(position);
    let spoke_at = mesh.clock.monotonic();
    while (stream.check()) {
      const next = await feed.after(position);
      if ('oldest' in next) {
        yield resetFrame(next.oldest);
        position = next.oldest - 1;
        continue;
      }
      for (const event of next.events) {
        if (!stream.check()) return; // its reader may have taken hours over the one before
        position = event.seq;
        if (!isWanted(event)) continue;
        yield event.frame;
        spoke_at = mesh.clock.monotonic();
      }
      if (mesh.clock.monotonic() - spoke_at >= feed.pace.silence_ms - feed.pace.check_ms) {
        // A position that moves without events reveals how much happens elsewhere: only callers that may read
        // everything get it.
        yield stillHereFrame(isWholeMesh(call.actor.scope) ? position : undefined);
        spoke_at = mesh.clock.monotonic();
      }
      if (next.events.length === 0) await stream.woken();
    }
  } finally {
    feed.finish(stream);
  }
}
