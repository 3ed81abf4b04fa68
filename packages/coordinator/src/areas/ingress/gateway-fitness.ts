/** Which nodes can be gateways of an ingress, and why the others cannot. */
import { covers, type Feature } from '@meshwork/contract';
import type { IngressDocument } from '../../kinds/ingress.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { carries, lackingFeature } from '../../mesh/abilities.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { boundaryOfNode, isMember, mayServe, nodeState } from '../../mesh/node-state.ts';
import { canInspect } from '../../mesh/waf-policies.ts';
import { ownPort } from '../../mesh/whole-ingress.ts';
import type { Fitness } from './choose-gateways.ts';
import { type IngressIndexes, portKey, selectorsOf } from './ingress-indexes.ts';

const FEATURE_WORDS: Readonly<Record<Feature, string>> = {
  client_certificates: 'client certificates',
  given_certificates: 'certificates that operators bring, one of which the ingress shows',
  mesh_identity: 'the identity of nodes, which the ingress asks for',
  ordered_certificates: 'certificates of outside authorities, one of which the ingress names',
  sign_in: 'people who sign in, which the ingress asks for',
  traffic_counts: 'counts of requests',
};

export function fitnessOf(view: View, id: string, ingress: IngressDocument): Fitness {
  const node = view.get('node', id);
  if (node === undefined || !isMember(node.body) || view.get('liveness', id) !== undefined) return 'gone';
  if (!carries(view, id, 'ingress')) return 'gone'; // there is nothing that it could finish
  if (!canInspect(view, id, ingress)) return 'gone'; // it must not serve it without its WAF policies
  if (lackingFeature(view, id, ingress) !== undefined) return 'gone'; // it would let through what it does not know of
  // What lies outside the boundary of an ingress must not see its traffic, not even the rest of it.
  if (!covers(ingress.scope, boundaryOfNode(node.body))) return 'gone';
  return mayServe(view, node) && isSelected(node.body, ingress) ? 'fit' : 'leaving';
}

function isSelected(node: NodeDocument, { gateways }: IngressDocument): boolean {
  return selectorsOf(node).some((selector) => gateways.includes(selector));
}

/** Nodes inside its scope that it may call its gateways. */
export function selectedNodes(view: View, indexes: IngressIndexes, ingress: IngressDocument): Stored<'node'>[] {
  const ids = new Set(ingress.gateways.flatMap((selector) => [...indexes.selected.of(selector)]));
  return [...ids].flatMap((id) => {
    const node = view.get('node', id);
    return node !== undefined && covers(ingress.scope, boundaryOfNode(node.body)) ? [node] : [];
  });
}

/** Why a node of its selectors cannot be a gateway of an ingress, whatever else is placed there. Null: it can. */
export function whyUnfit(view: View, node: Stored<'node'>, ingress: IngressDocument): string | null {
  const { name } = node.body;
  if (!mayServe(view, node)) return `${name} is ${nodeState(view, node)}`;
  if (!carries(view, node.id, 'ingress')) return `the agent of ${name} runs no gateway`;
  if (!canInspect(view, node.id, ingress)) return `the agent of ${name} runs no WAF, which the ingress needs`;
  const lacking = lackingFeature(view, node.id, ingress);
  return lacking === undefined ? null : `the agent of ${name} is too old for ${FEATURE_WORDS[lacking]}`;
}

/**
 * The other ingress that has the port of this one on a gateway, also one that drains: two cannot listen on one port. `given` are
 * ingresses that were placed since the indexes followed.
 */
export function portHolder(
  view: View,
  { listening }: IngressIndexes,
  asked: { readonly node: string; readonly ingress: Stored<'ingress'>; readonly given?: Iterable<string> },
): Stored<'ingress'> | undefined {
  const { node, ingress, given = [] } = asked;
  const port = ownPort(ingress.body);
  if (port === null) return undefined;
  for (const id of [...listening.of(portKey(node, port)), ...given]) {
    const other = view.get('ingress', id);
    if (other === undefined || id === ingress.id || ownPort(other.body) !== port) continue;
    if (view.get('placement', id)?.body.gateways.some((gateway) => gateway.node === node) === true) return other;
  }
  return undefined;
}
