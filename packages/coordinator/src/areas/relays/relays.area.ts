/**
 * Relays: nodes that carry, still encrypted, what cannot go directly. Here they are records; which node uses which
 * one is chosen in `choose-relay.ts`.
 */
import type { NodeId } from '@meshwork/contract';
import { pageById } from '@meshwork/service';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Area } from '../area.ts';
import type { AreaHandlers } from '../handler.ts';
import { AssignRelays } from './assign-relays.ts';
import { createRelay } from './create-relay.ts';
import { deleteRelay } from './delete-relay.ts';
import { findRelay } from './find-relay.ts';
import { RelayIndexes } from './relay-indexes.ts';
import { type RelaySources, relayRecord } from './relay-record.ts';
import { RelaySecrets } from './relay-secrets.ts';
import { relaySections } from './relay-sections.ts';
import { relaySummary } from './relay-summary.ts';
import { drainRelay, updateRelay } from './update-relay.ts';

export const relays: Area<'relays'> = {
  open: ({ model, vault }) => {
    const indexes = new RelayIndexes(model);
    return {
      sections: relaySections(model, indexes, new RelaySecrets(vault)),
      serve: ({ mesh, statuses }) => {
        const { proofs } = statuses;
        const round_trips = { of: (node: NodeId) => statuses.roundTrips(node) };
        const assign = new AssignRelays({ mesh, indexes, round_trips, proofs, now: () => statuses.now() });
        const load = (name: string) => indexes.assigned.of(name).size;
        const standbys = (name: string) => indexes.standby.of(name).size;
        return {
          handlers: handlersOf(mesh, { load, standbys, statuses }),
          duties: [assign],
          onHeartbeat: (node, { observed }) => assign.onHeartbeat(node, observed?.relays !== undefined),
          overview: relaySummary(proofs),
        };
      },
    };
  },
};

function handlersOf(mesh: Mesh, sources: RelaySources): AreaHandlers<'relays'> {
  return {
    'relays.create': (call) => createRelay(call, mesh, sources),
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
    'relays.update': (call) => updateRelay(call, mesh, sources),
    'relays.delete': deleteRelay,
    'relays.drain': (call) => drainRelay(call, true, sources),
    'relays.undrain': (call) => drainRelay(call, false, sources),
  };
}
