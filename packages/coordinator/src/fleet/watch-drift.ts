import { APPLIED_SECTIONS, type AppliedSection, type NodeId, utc } from '@meshwork/contract';
import type { DriftDocument } from '../mesh/kinds.ts';
import type { Stored, View } from '../mesh/model.ts';
import { aboutNode } from '../mesh/node-state.ts';
import { settingsOf } from '../mesh/settings-of.ts';
import type { Transaction } from '../mesh/transaction.ts';
import type { NodeView } from '../views/node-view.ts';
import type { NodeViews } from '../views/node-views.ts';
import { differenceOf } from './drift.ts';
import type { Sighting } from './sighting.ts';
import type { Sightings } from './sightings.ts';

interface Sources {
  readonly views: NodeViews;
  readonly sightings: Sightings;
}

type Drifting = Readonly<Partial<Record<AppliedSection, string>>>;
const NONE: Drifting = {};

/**
 * The sections in which a node has not been what it should be for longer than it may, with how. A node whose digest does
 * not match is told everything again: what it was told may be what is wrong.
 */
export function driftingSections(
  mesh: View,
  { views, sightings }: Sources,
  { sighting, view }: { readonly sighting: Sighting; readonly view: NodeView },
): Drifting {
  const { newest } = view;
  if (sighting.in_sync_as_of === newest) return NONE; // nothing changed since, on either side
  const { drift_after_s } = settingsOf(mesh).nodes;
  const now = sightings.now();
  const drifting: { [S in AppliedSection]?: string } = {};
  for (const section of APPLIED_SECTIONS) {
    const difference = differenceOf(views.desired(view.id, section), sighting.applied[section]);
    if (difference === null) {
      delete sighting.apart_since[section];
      continue;
    }
    const since = sighting.apart_since[section] ?? now;
    sighting.apart_since[section] = since;
    if (now - since < drift_after_s * 1000) continue;
    drifting[section] = difference;
  }
  if (Object.keys(sighting.apart_since).length === 0) sighting.in_sync_as_of = newest;
  if (Object.keys(drifting).length > 0 && now - sighting.retold_at >= drift_after_s * 1000) {
    sighting.retold_at = now;
    view.distrusted = true;
  }
  return drifting;
}

export function driftingSectionsOf(mesh: View, sources: Sources, node: NodeId): Drifting {
  return driftingSections(mesh, sources, { sighting: sources.sightings.of(node), view: sources.views.of(node) });
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
    tx.tell({ ...about, type: 'node.settled', data: { name } });
    return;
  }
  const at = utc(tx.now_ms);
  const section = (one: AppliedSection) => old?.sections[one] ?? { since: at, reason: drifting[one] ?? '' };
  const sections: DriftDocument['sections'] = Object.fromEntries(names.map((one) => [one, section(one)]));
  tx.put('drift', node.id, { since: old?.since ?? at, sections });
  const reason = names.map((one) => `${one}: ${drifting[one]}`).join('; ');
  tx.tell({ ...about, type: 'node.drifted', data: { name, sections: names, reason } });
}
