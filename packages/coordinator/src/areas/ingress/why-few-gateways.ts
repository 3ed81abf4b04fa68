import { covers, type NodeId, type Scope } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import { ownPort } from '../../mesh/whole-ingress.ts';
import { portHolder, selectedNodes, whyUnfit } from './gateway-fitness.ts';
import type { IngressIndexes } from './ingress-indexes.ts';

/** Nodes that are named as examples. */
const FEW = 3;

interface Asked {
  readonly indexes: IngressIndexes;
  /** What the caller sees: an ingress outside of it is not named. */
  readonly viewer: Scope;
}

/**
 * Why an ingress has fewer gateways than it asks for. Null: it has them, or drains. Its gateways are inside its scope, so that
 * naming nodes there shows nothing more than the record does.
 */
export function whyFewGateways(view: View, ingress: Stored<'ingress'>, asked: Asked): string | null {
  const { replicas, draining, gateways } = ingress.body;
  const placed = view.get('placement', ingress.id)?.body.gateways ?? [];
  const serving = new Set<NodeId>(placed.flatMap((gateway) => (gateway.draining ? [] : [gateway.node])));
  if (draining || serving.size >= replicas) return null;
  const others = selectedNodes(view, asked.indexes, ingress.body).filter(({ id }) => !serving.has(id as NodeId));
  const found = others.map((node) => ({ name: node.body.name, why: whyNot(view, ingress, node, asked) }));
  const able = found.filter(({ why }) => why === null).length;
  if (serving.size + able >= replicas) return 'Its gateways are being chosen.';
  const reasons = found.flatMap(({ name, why }) => (why === null ? [] : [{ name, why }]));
  const words = reasons
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, FEW)
    .map(({ why }) => why);
  if (reasons.length > FEW) words.push(`${reasons.length - FEW} more cannot either`);
  else if (serving.size + others.length < replicas) {
    const other = serving.size + others.length > 0 ? 'other ' : '';
    words.push(`no ${other}node inside its scope matches ${gateways.join(', ')}`);
  }
  return `It has ${serving.size} of ${replicas} gateways: ${words.join('; ')}.`;
}

function whyNot(
  view: View,
  ingress: Stored<'ingress'>,
  node: Stored<'node'>,
  { indexes, viewer }: Asked,
): string | null {
  const unfit = whyUnfit(view, node, ingress.body);
  if (unfit !== null) return unfit;
  const holder = portHolder(view, indexes, { node: node.id, ingress });
  if (holder === undefined) return null;
  const { name, scope } = holder.body;
  const by = covers(viewer, scope) ? `the ingress ${name}` : 'another ingress';
  return `${ownPort(ingress.body)} of ${node.body.name} is taken by ${by}`;
}
