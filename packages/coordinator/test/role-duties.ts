/** The duties that give roles to nodes, with what nodes report in the hands of a test. */
import type { NodeId } from '@meshwork/contract';
import { IngressIndexes } from '../src/areas/ingress/ingress-indexes.ts';
import { PlaceIngresses } from '../src/areas/ingress/place-ingresses.ts';
import { AssignRelays } from '../src/areas/relays/assign-relays.ts';
import { RelayIndexes } from '../src/areas/relays/relay-indexes.ts';
import { ProvideRoutes } from '../src/areas/routes/provide-routes.ts';
import { sharedIndexes } from '../src/areas/shared-indexes.ts';
import type { Duty } from '../src/duties/duty.ts';
import type { Mesh } from '../src/mesh/mesh.ts';
import type { RelayProofs } from '../src/node-status/relay-proofs.ts';
import type { ConnectionCounts, RoundTrips } from '../src/node-status/what-nodes-report.ts';

export function roleDuties(
  mesh: Mesh,
  reported: {
    readonly round_trips: RoundTrips;
    readonly proofs: RelayProofs;
    now(): number;
    readonly counts: ConnectionCounts;
  },
): { readonly duties: readonly Duty[]; onHeartbeat(node: NodeId): void } {
  const { counts, ...measured } = reported;
  const { served } = sharedIndexes(mesh.model);
  const relays = new AssignRelays({ mesh, indexes: new RelayIndexes(mesh.model), ...measured });
  const ingresses = new PlaceIngresses(mesh, { counts, indexes: new IngressIndexes(mesh.model, served) });
  return {
    duties: [new ProvideRoutes(mesh), ingresses, relays],
    onHeartbeat: (node) => {
      relays.onHeartbeat(node, true);
      ingresses.onHeartbeat(node);
    },
  };
}
