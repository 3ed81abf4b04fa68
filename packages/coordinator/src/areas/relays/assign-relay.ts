import type { NodeId } from '@meshwork/contract';
import type { AssignmentDocument } from '../../kinds/relays.ts';
import { carries } from '../../mesh/abilities.ts';
import { boundaryOfNode, isMember } from '../../mesh/node-state.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { RoundTrips } from '../../node-status/what-nodes-report.ts';
import { chooseRelay } from './choose-relay.ts';
import type { RelayStandings } from './relay-standings.ts';

/** One transaction that assigns relays: each choice counts for the next. */
interface Assigning {
  readonly tx: Transaction;
  readonly relays: RelayStandings;
  readonly round_trips: RoundTrips;
}

/** Brings the assignment of one node in line. */
export function assignRelay(assigning: Assigning, id: string): void {
  const { tx, relays, round_trips } = assigning;
  const old = tx.get('assignment', id)?.body;
  const present = old?.relay ?? null;
  const chosen = relayFor(assigning, id as NodeId, old);
  const measured = old?.measured === true || round_trips.of(id as NodeId).size > 0;
  if (chosen === present && (old === undefined || old.measured === measured)) return;
  if (chosen === null) tx.delete('assignment', id);
  else tx.put('assignment', id, { relay: chosen, measured });
  if (chosen === present) return;
  relays.moved(present, chosen);
  const node = tx.get('node', id)?.body;
  if (node === undefined) return; // deleted for good: no event is due
  tx.emit({
    type: 'relay.assigned',
    subject: { kind: 'node', id },
    scope: boundaryOfNode(node),
    data: { name: node.name, from: present, to: chosen },
  });
}

function relayFor({ tx, relays, ...known }: Assigning, id: NodeId, old: AssignmentDocument | undefined): string | null {
  const node = tx.get('node', id)?.body;
  if (node === undefined || !isMember(node) || !carries(tx, id, 'relay')) return null;
  const round_trips = known.round_trips.of(id);
  const settled = old?.measured === true || round_trips.size === 0;
  const seeker = { node: id, pinned: node.pinned_relay, present: old?.relay ?? null, settled, round_trips };
  return chooseRelay(seeker, relays.byName);
}
