import { type NodeId, utc } from '@meshwork/contract';
import type { AssignmentDocument } from '../../kinds/relays.ts';
import { carries } from '../../mesh/abilities.ts';
import { boundaryOfNode, isMember } from '../../mesh/node-state.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { RoundTrips } from '../../node-status/what-nodes-report.ts';
import { chooseRelay, PINNED } from './choose-relay.ts';
import { chooseStandby } from './choose-standby.ts';
import type { RelayStandings } from './relay-standings.ts';

/** One transaction that assigns relays: each choice counts for the next. */
interface Assigning {
  readonly tx: Transaction;
  readonly relays: RelayStandings;
  readonly round_trips: RoundTrips;
  /** Relays that have been worth a move for a while. */
  nearer(node: NodeId): ReadonlySet<string>;
}

const NO_USES = { relay: null, standby: null };

/** Brings the assignment of one node in line. */
export function assignRelay(assigning: Assigning, id: string): void {
  const { tx, relays } = assigning;
  const old = tx.get('assignment', id)?.body;
  const next = assignmentFor(assigning, id as NodeId, old);
  const [before, after] = [usesOf(old), usesOf(next.assignment)];
  if (next.assignment === undefined) {
    if (old === undefined) return;
    tx.delete('assignment', id);
  } else {
    if (old !== undefined && isSame(old, next.assignment)) return;
    tx.put('assignment', id, next.assignment);
  }
  relays.moved(before, after);
  const node = tx.get('node', id)?.body;
  if (before.relay === after.relay || node === undefined) return; // or deleted for good: no event is due
  tx.emit({
    type: 'relay.assigned',
    subject: { kind: 'node', id },
    scope: boundaryOfNode(node),
    data: { name: node.name, from: before.relay, to: after.relay, why: next.why },
  });
}

interface Next {
  /** Undefined: none. */
  readonly assignment: AssignmentDocument | undefined;
  readonly why: string | null;
}

function assignmentFor(assigning: Assigning, id: NodeId, old: AssignmentDocument | undefined): Next {
  const { tx, relays } = assigning;
  const node = tx.get('node', id)?.body;
  if (node === undefined || !isMember(node) || !carries(tx, id, 'relay')) return { assignment: undefined, why: null };
  const round_trips = assigning.round_trips.of(id);
  const measured = old?.measured === true || round_trips.size > 0;
  const { relay: present, standby } = usesOf(old);
  const settled = old?.measured === true || round_trips.size === 0;
  const nearer = assigning.nearer(id);
  const seeker = { node: id, pinned: node.pinned_relay, present, standby, settled, nearer, round_trips };
  const { relay, why } = chooseRelay(seeker, relays.byName);
  if (relay === null) return { assignment: undefined, why };
  const reason = relay === present ? keptFor(old, why) : { why: why ?? '', chosen_at: utc(tx.now_ms) };
  const uses = { node: id, home: relay, present: standby, receives_by: receivesBy(tx, id), round_trips };
  const chosen = chooseStandby(uses, relays.byName);
  return { assignment: { relay, standby: chosen, measured, ...reason }, why };
}

/** One that stays keeps its reason, apart from what an operator chose, or took back. */
function keptFor(
  old: AssignmentDocument | undefined,
  why: string | null,
): Pick<AssignmentDocument, 'why' | 'chosen_at'> {
  const { why: before, chosen_at } = old ?? {};
  const reason =
    why === PINNED ? PINNED : before === PINNED ? 'kept when the operator left the choice open again' : before;
  return { ...(reason === undefined ? {} : { why: reason }), ...(chosen_at === undefined ? {} : { chosen_at }) };
}

/** Relays that it reports a place at. Of a node that is overdue there is nothing to wait for. */
function receivesBy(tx: Transaction, id: NodeId): readonly string[] {
  if (tx.get('liveness', id) !== undefined) return [];
  return (tx.get('report', id)?.body.relayed ?? []).map(({ relay }) => relay);
}

function usesOf(assignment: AssignmentDocument | undefined) {
  return assignment === undefined ? NO_USES : { relay: assignment.relay, standby: assignment.standby ?? null };
}

function isSame(a: AssignmentDocument, b: AssignmentDocument): boolean {
  const isAlike = a.relay === b.relay && (a.standby ?? null) === (b.standby ?? null);
  return isAlike && a.measured === b.measured && a.why === b.why;
}
