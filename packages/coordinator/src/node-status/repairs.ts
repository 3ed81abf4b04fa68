/**
 * What agents put back after another program changed it. Each repair is in one event, and each node has at most one
 * such event a minute, so that two programs that fight over a host do not fill the log. Until then repairs are counted
 * in memory; a coordinator that is killed loses its count.
 */
import { type Posture, type Repair, utc } from '@meshwork/contract';
import { digestOfText, digestText } from '@meshwork/contract/digest';
import type { RepairDocument } from '../kinds/nodes.ts';
import type { Stored, View } from '../mesh/model.ts';
import { aboutNode } from '../mesh/node-state.ts';
import type { Transaction } from '../mesh/transaction.ts';
import type { NodeStatus, PendingRepairs } from './node-status.ts';

/** Ours: between two events of one node at least. */
const EVENT_EVERY_MS = 60_000;
/** As many as one heartbeat brings: an agent says again only what it has no answer to. */
const KNOWN = 20;

/** Takes in those that are new. The agent says each until it is answered, so some come again. */
export function noteRepairs(status: NodeStatus, repairs: readonly Repair[]): void {
  const known = new Set(status.reported_repairs);
  status.reported_repairs = repairs.map(keyOf);
  for (const repair of repairs) {
    const key = keyOf(repair);
    if (!known.has(key)) status.pending_repairs = added(status.pending_repairs, repair, key);
    known.add(key);
  }
}

function added(pending: PendingRepairs | undefined, repair: Repair, key: string): PendingRepairs {
  const found = new Map(pending?.found).set(repair.section, repair.found);
  return { count: (pending?.count ?? 0) + 1, last: repair, found, keys: [...(pending?.keys ?? []), key].slice(-KNOWN) };
}

function keyOf({ section, at, found }: Repair): string {
  return digestText(digestOfText(`${section} ${at} ${found}`));
}

/** Those that an event has to report now. */
export function dueRepairs(status: NodeStatus, view: View, node: string, now_ms: number): PendingRepairs | undefined {
  const { pending_repairs: pending } = status;
  if (pending === undefined) return undefined;
  const { told_ms = Number.NEGATIVE_INFINITY } = view.get('repair', node)?.body ?? {};
  if (Math.abs(now_ms - told_ms) < EVENT_EVERY_MS) return undefined;
  return pending;
}

/** While they are being written: the next heartbeat must not report them as well. */
export function takeRepairs(status: NodeStatus): void {
  status.pending_repairs = undefined;
}

export function putBackRepairs(status: NodeStatus, taken: PendingRepairs): void {
  const since = status.pending_repairs;
  status.pending_repairs =
    since === undefined
      ? taken
      : {
          count: taken.count + since.count,
          last: since.last,
          found: new Map([...taken.found, ...since.found]),
          keys: [...taken.keys, ...since.keys].slice(-KNOWN),
        };
}

/** Leaves out repairs that another coordinator, or this one before it restarted, has already reported. */
export function writeRepairs(tx: Transaction, node: Stored<'node'>, pending: PendingRepairs): void {
  const known = new Set(tx.get('repair', node.id)?.body.known);
  const count = pending.count - pending.keys.filter((key) => known.has(key)).length;
  if (count === 0) return;
  const { last, keys } = pending;
  const sections = [...pending.found.keys()];
  tx.put('repair', node.id, { told_ms: tx.now_ms, at: shortly(last.at), sections, found: last.found, known: keys });
  const reason = [...pending.found].map(([section, found]) => `${section}: ${found}`).join('; ');
  const data = { name: node.body.name, sections, reason, count };
  tx.emit({ ...aboutNode(node), type: 'node.drift_repaired', data });
}

/** The last repair, pending or in an event. */
export function lastRepair(status: NodeStatus, written: RepairDocument | undefined): Posture['repaired'] {
  const { pending_repairs: pending } = status;
  if (pending !== undefined) {
    return { at: shortly(pending.last.at), sections: [...pending.found.keys()], found: pending.last.found };
  }
  if (written === undefined) return null;
  const { at, sections, found } = written;
  return { at, sections: [...sections], found };
}

/** As all moments are answered: in UTC, to the second. */
function shortly(at: string): string {
  return utc(Date.parse(at));
}
