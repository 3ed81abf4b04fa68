/**
 * Relays: nodes that carry, still encrypted, what cannot go directly. Here they are records; which node uses which
 * one is chosen in `fleet/choose-relay.ts`.
 */
import { assignedNodes } from '../../fleet/assigned-nodes.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import type { AreaHandlers } from '../handler.ts';
import { pageById } from '../pages.ts';
import { createRelay } from './create-relay.ts';
import { deleteRelay } from './delete-relay.ts';
import { findRelay } from './find-relay.ts';
import { type Loads, relayRecord } from './relay-record.ts';
import { drainRelay, updateRelay } from './update-relay.ts';

export function relayHandlers(mesh: Mesh): AreaHandlers<'relays'> {
  const assigned = assignedNodes(mesh.model);
  const loads: Loads = (name) => assigned.of(name).size;
  return {
    'relays.create': (call) => createRelay(call, loads),
    'relays.list': (call) => ({
      body: pageById('relays.list', call.query, {
        walk: (after) => mesh.model.after('relay', after),
        keep: () => true,
        show: (relay) => relayRecord(mesh.model, relay, loads),
      }),
    }),
    'relays.show': (call) => {
      const relay = findRelay(mesh.model, call.params.name);
      return { body: relayRecord(mesh.model, relay, loads), revision: relay.revision };
    },
    'relays.update': (call) => updateRelay(call, loads),
    'relays.delete': deleteRelay,
    'relays.drain': (call) => drainRelay(call, true, loads),
    'relays.undrain': (call) => drainRelay(call, false, loads),
  };
}
