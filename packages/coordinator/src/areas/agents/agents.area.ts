/**
 * What agents speak. Start with `heartbeat.ts`, the one conversation with a node; docs/one-heartbeat.md walks through it.
 */

import type { Area } from '../area.ts';
import { heartbeat } from './heartbeat.ts';
import { openSession } from './open-session.ts';

export const agents: Area<'agents'> = {
  open: () => ({
    serve: (runtime) => ({
      handlers: {
        'agents.session': (call) => openSession(runtime, call),
        'agents.heartbeat': (call) => heartbeat(runtime, call),
      },
      gauges: (metrics) =>
        metrics.gauge(
          'mesh_coordinator_waiting_heartbeats',
          'Heartbeats waiting for something to change.',
          () => runtime.waiting.size,
        ),
      dismiss: () => runtime.waiting.close(),
    }),
  }),
};
