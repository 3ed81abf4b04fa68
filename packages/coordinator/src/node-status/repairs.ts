/**
 * What agents put back because somebody else had changed it. Each repair is told of once, and of one node no more than
 * one event a minute is written: where two programs fight over a host, the log is not what suffers. Until then they are
 * counted in memory; what a coordinator that is killed had counted is not told.
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

/** Those that are to be told of now. */
export function dueRepairs(status: NodeStatus, view: View, node: string, now_ms: number): PendingRepairs | undefined {
  const { pending_repairs: pending } = status;
  if (pending === undefined) return undefined;
  const { told_ms = Number.NEGATIVE_INFINITY } = view.get('repair', node)?.body ?? {};
  if (Math.abs(now_ms - told_ms) < EVENT_EVERY_MS) return undefined;
  return pending;
}

/** While they are being written: the next heartbeat must not tell of them as well. */
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

/** Those that another coordinator has told of, or this one before it was started again, are not told once more. */
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

/** The last repair there was, told of or not. */
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
