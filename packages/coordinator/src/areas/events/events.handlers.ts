/**
 * Events: what happens, while it happens. Transactions write them with the change they tell of (`tx.tell`,
 * `mesh/event-entry.ts`); here they are followed. `follow-events.ts` is one stream, `feed.ts` what all of them share;
 * a duty removes what is past its retention (`trim-events.ts`).
 */
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import type { EventFeed } from './feed.ts';
import { followEvents } from './follow-events.ts';

export function eventHandlers(mesh: Mesh, feed: EventFeed): AreaHandlers<'events'> {
  return { 'events.stream': (call) => followEvents(mesh, feed, call) };
}
