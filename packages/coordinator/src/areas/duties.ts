/** What the coordinator does by itself, wired: the one list of the duties of all areas. */
import type { HeartbeatRequest, NodeId } from '@meshwork/contract';
import type { Duty } from '../duties/duty.ts';
import { journalDuties } from '../duties/journal-duties.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { RelayMeasurements } from '../node-status/relay-measurements.ts';
import type { Sightings } from '../node-status/sightings.ts';
import type { ConnectionCounts, RoundTrips } from '../node-status/what-nodes-report.ts';
import type { NodeViews } from '../views/node-views.ts';
import { lapseGrants } from './acls/lapse-grants.ts';
import { trimAudit } from './audit/trim-audit.ts';
import { forgetDelegations } from './delegations/forget-delegations.ts';
import { trimEvents } from './events/trim-events.ts';
import { PlaceIngresses } from './ingress/place-ingresses.ts';
import { forgetNodes } from './nodes/forget-nodes.ts';
import { markOverdue } from './nodes/mark-overdue.ts';
import { EndOperations } from './operations/end-operations.duty.ts';
import { forgetOperations } from './operations/forget-operations.ts';
import { AssignRelays } from './relays/assign-relays.ts';
import { ProvideRoutes } from './routes/provide-routes.ts';
import { announceExpiry } from './tokens/announce-expiry.ts';

const MINUTE_S = 60;
const HOUR_S = 3600;

export interface AllDuties {
  readonly duties: readonly Duty[];
  /** Has the duties look at what a heartbeat brought that concerns them. */
  heard(node: NodeId, heartbeat: HeartbeatRequest): void;
}

export function allDuties(
  mesh: Mesh,
  sources: { readonly views: NodeViews; readonly sightings: Sightings },
): AllDuties {
  const { sightings } = sources;
  const roles = roleDuties(mesh, {
    round_trips: { of: (node) => sightings.roundTrips(node) },
    measurements: sightings.measurements,
    counts: sightings,
  });
  const operations = new EndOperations(mesh, sources);
  const periodic = (name: string, every_s: number, work: (mesh: Mesh) => Promise<void>): Duty => ({
    name,
    every_s,
    run: () => work(mesh),
  });
  return {
    duties: [
      { name: 'nodes.mark_overdue', every_s: 1, run: () => markOverdue(mesh, sightings) },
      periodic('policy.lapse', 1, lapseGrants),
      operations,
      ...roles.duties,
      periodic('tokens.announce_expiry', MINUTE_S, announceExpiry),
      // What retention removes has an entry in the trail each time, so it is not done for a minute's worth.
      periodic('operations.forget', HOUR_S, forgetOperations),
      periodic('nodes.forget', HOUR_S, forgetNodes),
      periodic('delegations.forget', HOUR_S, forgetDelegations),
      periodic('events.trim', HOUR_S, trimEvents),
      periodic('audit.trim', HOUR_S, trimAudit),
      ...journalDuties(mesh),
    ],
    heard: (node, { applied }) => {
      roles.heard(node);
      if (applied !== undefined) operations.heard();
    },
  };
}

/** Who relays, forwards and serves: what follows from what people decided and nodes report. */
export function roleDuties(
  mesh: Mesh,
  reported: {
    readonly round_trips: RoundTrips;
    readonly measurements: RelayMeasurements;
    readonly counts: ConnectionCounts;
  },
): { readonly duties: readonly Duty[]; heard(node: NodeId): void } {
  const { round_trips, measurements, counts } = reported;
  const relays = new AssignRelays({ mesh, round_trips, measurements });
  const routes = new ProvideRoutes(mesh);
  const ingresses = new PlaceIngresses(mesh, counts);
  return {
    duties: [routes, ingresses, relays],
    heard: (node) => {
      relays.heard(node);
      ingresses.heard(node);
    },
  };
}
