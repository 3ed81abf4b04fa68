/**
 * Events: what happens, while it happens. Transactions write them with the change they tell of (`tx.emit`,
 * `mesh/event-entry.ts`); here they are followed. `follow-events.ts` is one stream, `feed.ts` what all of them share;
 * a duty removes what is past its retention (`trim-events.ts`).
 */
import { periodic } from '../../duties/duty.ts';
import type { Area } from '../area.ts';
import { EventFeed } from './feed.ts';
import { followEvents } from './follow-events.ts';
import { trimEvents } from './trim-events.ts';

export const events: Area<'events'> = {
  open: () => ({
    serve: ({ mesh, failed }) => {
      const feed = new EventFeed(mesh, failed);
      return {
        handlers: { 'events.stream': (call) => followEvents(mesh, feed, call) },
        duties: [periodic('events.trim', 3600, () => trimEvents(mesh))],
        gauges: (metrics) =>
          metrics.gauge('mesh_coordinator_event_streams', 'Streams of events that are open.', () => feed.streams),
        dismiss: () => feed.close(),
      };
    },
  }),
};
