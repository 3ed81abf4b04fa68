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
import type { Sighting, UntoldRepairs } from './sighting.ts';

/** Ours: between two events of one node at least. */
const EVENT_EVERY_MS = 60_000;
/** As many as one heartbeat brings: an agent says again only what it has no answer to. */
const KNOWN = 20;

/** Takes in those that are new. The agent says each until it is answered, so some come again. */
export function noteRepairs(sighting: Sighting, repairs: readonly Repair[]): void {
  const known = new Set(sighting.repairs_heard);
  sighting.repairs_heard = repairs.map(keyOf);
  for (const repair of repairs) {
    const key = keyOf(repair);
    if (!known.has(key)) sighting.repairs_untold = added(sighting.repairs_untold, repair, key);
    known.add(key);
  }
}

function added(untold: UntoldRepairs | undefined, repair: Repair, key: string): UntoldRepairs {
  const found = new Map(untold?.found).set(repair.section, repair.found);
  return { count: (untold?.count ?? 0) + 1, last: repair, found, keys: [...(untold?.keys ?? []), key].slice(-KNOWN) };
}

function keyOf({ section, at, found }: Repair): string {
  return digestText(digestOfText(`${section} ${at} ${found}`));
}

/** Those that are to be told of now. */
export function dueRepairs(sighting: Sighting, view: View, node: string, now_ms: number): UntoldRepairs | undefined {
  const { repairs_untold: untold } = sighting;
  if (untold === undefined) return undefined;
  const { told_ms = Number.NEGATIVE_INFINITY } = view.get('repair', node)?.body ?? {};
  if (Math.abs(now_ms - told_ms) < EVENT_EVERY_MS) return undefined;
  return untold;
}

/** While they are being written: the next heartbeat must not tell of them as well. */
export function takeRepairs(sighting: Sighting): void {
  sighting.repairs_untold = undefined;
}

export function putBackRepairs(sighting: Sighting, taken: UntoldRepairs): void {
  const since = sighting.repairs_untold;
  sighting.repairs_untold =
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
export function writeRepairs(tx: Transaction, node: Stored<'node'>, untold: UntoldRepairs): void {
  const known = new Set(tx.get('repair', node.id)?.body.known);
  const count = untold.count - untold.keys.filter((key) => known.has(key)).length;
  if (count === 0) return;
  const { last, keys } = untold;
  const sections = [...untold.found.keys()];
  tx.put('repair', node.id, { told_ms: tx.now_ms, at: shortly(last.at), sections, found: last.found, known: keys });
  const reason = [...untold.found].map(([section, found]) => `${section}: ${found}`).join('; ');
  const data = { name: node.body.name, sections, reason, count };
  tx.emit({ ...aboutNode(node), type: 'node.drift_repaired', data });
}

/** The last repair there was, told of or not. */
export function lastRepair(sighting: Sighting, written: RepairDocument | undefined): Posture['repaired'] {
  const { repairs_untold: untold } = sighting;
  if (untold !== undefined) {
    return { at: shortly(untold.last.at), sections: [...untold.found.keys()], found: untold.last.found };
  }
  if (written === undefined) return null;
  const { at, sections, found } = written;
  return { at, sections: [...sections], found };
}

/** As all moments are answered: in UTC, to the second. */
function shortly(at: string): string {
  return utc(Date.parse(at));
}
