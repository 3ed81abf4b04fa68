import { APPLIED_SECTIONS, type AppliedSection, type NodeId, utc } from '@meshwork/contract';
import type { DriftDocument } from '../../kinds/nodes.ts';
import { carries } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { aboutNode } from '../../mesh/node-state.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import type { NodeStatus } from '../../node-status/node-status.ts';
import { differenceOf } from '../../views/difference.ts';
import type { NodeView } from '../../views/node-view.ts';
import type { NodeViews } from '../../views/node-views.ts';

type Drifting = Readonly<Partial<Record<AppliedSection, string>>>;
const NONE: Drifting = {};

/** How a node stands to what it should be. `noteDrift` keeps it. */
export interface Drift {
  /** The sections in which it has not been what it should be for longer than it may, with how. */
  readonly drifting: Drifting;
  readonly apart_since: NodeStatus['apart_since'];
  readonly in_sync_as_of: number;
  /**
   * What is in effect has differed for too long from what the node was sent: the agent may hold something else, so send
   * everything again.
   */
  readonly resends: boolean;
}

/** Whose drift is looked at, and when, in listening time. */
interface Looked {
  readonly status: NodeStatus;
  readonly view: NodeView;
  readonly now: number;
}

/** Changes nothing: asked twice, it answers the same. */
export function driftOf(mesh: View, views: NodeViews, { status, view, now }: Looked): Drift {
  const { newest } = view;
  const { apart_since: before, in_sync_as_of } = status;
  // Nothing changed since, on either side.
  if (in_sync_as_of === newest) return { drifting: NONE, apart_since: before, in_sync_as_of, resends: false };
  const { drift_after_s } = settingsOf(mesh).nodes;
  const apart_since: NodeStatus['apart_since'] = {};
  const drifting: { [S in AppliedSection]?: string } = {};
  for (const section of APPLIED_SECTIONS) {
    if (!carries(mesh, view.id, section)) continue;
    const difference = differenceOf(views.desired(view.id, section), status.applied[section]);
    if (difference === null) continue;
    const since = before[section] ?? now;
    apart_since[section] = since;
    if (now - since >= drift_after_s * 1000) drifting[section] = difference;
  }
  const isInSync = Object.keys(apart_since).length === 0;
  const resends = Object.keys(drifting).length > 0 && now - status.resent_at >= drift_after_s * 1000;
  const found = Object.keys(drifting).length === 0 ? NONE : drifting;
  return { drifting: found, apart_since, in_sync_as_of: isInSync ? newest : in_sync_as_of, resends };
}

/** Keeps in memory what was found, and has everything sent to the node again where that may help. */
export function noteDrift({ status, view, now }: Looked, { apart_since, in_sync_as_of, resends }: Drift): void {
  status.apart_since = apart_since;
  status.in_sync_as_of = in_sync_as_of;
  if (!resends) return;
  status.resent_at = now;
  view.distrusted = true;
}

/** Whether what is written down about the drift of a node is no longer so. */
export function driftDiffers(view: View, node: NodeId, drifting: Drifting): boolean {
  const written = view.get('drift', node)?.body.sections;
  if (written === undefined && drifting === NONE) return false;
  const known = Object.keys(written ?? {}).sort();
  return known.join() !== Object.keys(drifting).sort().join();
}

export function writeDrift(tx: Transaction, node: Stored<'node'>, drifting: Drifting): void {
  const old = tx.get('drift', node.id)?.body;
  const about = aboutNode(node);
  const { name } = node.body;
  const names = Object.keys(drifting) as AppliedSection[];
  if (names.length === 0) {
    if (old === undefined) return;
    tx.delete('drift', node.id);
    tx.emit({ ...about, type: 'node.settled', data: { name } });
    return;
  }
  const at = utc(tx.now_ms);
  const section = (one: AppliedSection) => old?.sections[one] ?? { since: at, reason: drifting[one] ?? '' };
  const sections: DriftDocument['sections'] = Object.fromEntries(names.map((one) => [one, section(one)]));
  tx.put('drift', node.id, { since: old?.since ?? at, sections });
  const reason = names.map((one) => `${one}: ${drifting[one]}`).join('; ');
  tx.emit({ ...about, type: 'node.drifted', data: { name, sections: names, reason } });
}
