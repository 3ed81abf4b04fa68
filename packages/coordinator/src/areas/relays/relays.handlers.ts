/**
 * Relays: nodes that carry, still encrypted, what cannot go directly. Here they are records; which node uses which
 * one is chosen in `choose-relay.ts`.
 */

import type { Mesh } from '../../mesh/mesh.ts';
import type { RelayMeasurements } from '../../node-status/relay-measurements.ts';
import type { AreaHandlers } from '../handler.ts';
import { pageById } from '../pages.ts';
import { assignedNodes } from './assigned-nodes.ts';
import { createRelay } from './create-relay.ts';
import { deleteRelay } from './delete-relay.ts';
import { findRelay } from './find-relay.ts';
import { type RelaySources, relayRecord } from './relay-record.ts';
import { drainRelay, updateRelay } from './update-relay.ts';

export function relayHandlers(mesh: Mesh, measurements: RelayMeasurements): AreaHandlers<'relays'> {
  const assigned = assignedNodes(mesh.model);
  const sources: RelaySources = { load: (name) => assigned.of(name).size, measurements };
  return {
    'relays.create': (call) => createRelay(call, sources),
    'relays.list': (call) => ({
      body: pageById('relays.list', call.query, {
        walk: (after) => mesh.model.after('relay', after),
        keep: () => true,
        show: (relay) => relayRecord(mesh.model, relay, sources),
      }),
    }),
    'relays.show': (call) => {
      const relay = findRelay(mesh.model, call.params.name);
      return { body: relayRecord(mesh.model, relay, sources), revision: relay.revision };
    },
    'relays.update': (call) => updateRelay(call, sources),
    'relays.delete': deleteRelay,
    'relays.drain': (call) => drainRelay(call, true, sources),
    'relays.undrain': (call) => drainRelay(call, false, sources),
  };
}
