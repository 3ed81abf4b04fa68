/**
 * What agents speak. Start with `heartbeat.ts`, the one conversation with a node; docs/one-heartbeat.md walks through it.
 */

import type { Mesh } from '../../mesh/mesh.ts';
import type { Fleet } from '../fleet.ts';
import type { AreaHandlers } from '../handler.ts';
import { heartbeat } from './heartbeat.ts';
import { openSession } from './open-session.ts';

export function agentHandlers(mesh: Mesh, fleet: Fleet): AreaHandlers<'agents'> {
  return {
    'agents.session': (call) => openSession(mesh, fleet, call),
    'agents.heartbeat': (call) => heartbeat({ mesh, fleet }, call),
  };
}
