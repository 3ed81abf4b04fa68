import { kindOfAddress } from '@meshwork/addresses';
import { covers, MeshError, type NodeId, type Scope } from '@meshwork/contract';
import { answersProbes } from '../../../mesh/abilities.ts';
import type { Stored, View } from '../../../mesh/model.ts';
import { boundaryOfNode, findNode, isFresh, isMember, nodeState } from '../../../mesh/node-state.ts';
import type { NodeStatuses } from '../../../node-status/node-statuses.ts';
import { addressesOf } from './outside-facts.ts';

interface Wish {
  readonly scope: Scope;
  /** Id or name. Undefined: any. */
  readonly wanted: string | undefined;
  readonly statuses: NodeStatuses;
}

/**
 * A node that is no gateway of the ingress: best one whose public address is none of theirs, as behind the same router a host may get
 * another answer than people outside.
 */
export function chooseChecker(view: View, ingress: Stored<'ingress'>, wish: Wish): Stored<'node'> {
  const gateways = new Set(view.get('placement', ingress.id)?.body.gateways.map(({ node }) => node));
  if (wish.wanted !== undefined) {
    const node = findNode(view, wish.wanted, wish.scope);
    const why = whyNot(view, node, gateways);
    if (why !== null) throw notChecked(`${why}.`);
    return node;
  }
  const visible = [...view.all('node')].filter(({ body }) => covers(wish.scope, boundaryOfNode(body)));
  const able = visible.filter((node) => whyNot(view, node, gateways) === null);
  const theirs = new Set([...gateways].flatMap((id) => publicAddresses(view, id, wish.statuses)));
  const distance = ({ id }: Stored<'node'>) => {
    const own = publicAddresses(view, id as NodeId, wish.statuses);
    if (own.length === 0) return 1;
    return own.some((address) => theirs.has(address)) ? 2 : 0;
  };
  const [chosen] = able.sort((a, b) => distance(a) - distance(b) || (a.body.name < b.body.name ? -1 : 1));
  if (chosen !== undefined) return chosen;
  const reasons = visible.flatMap((node) => whyNot(view, node, gateways) ?? []).slice(0, 3);
  throw notChecked(`No node in your scope can: ${reasons.length > 0 ? reasons.join('; ') : 'there is none'}.`);
}

function publicAddresses(view: View, id: NodeId, statuses: NodeStatuses): readonly string[] {
  const { addresses, is_public } = addressesOf(view, id);
  const { address } = statuses.of(id); // where its heartbeats come from
  const seen = address !== undefined && kindOfAddress(address) === 'global' ? [address] : [];
  return [...(is_public ? addresses : []), ...seen];
}

function whyNot(view: View, node: Stored<'node'>, gateways: ReadonlySet<string>): string | null {
  const { name } = node.body;
  if (gateways.has(node.id)) return `${name} is a gateway of the ingress, and is not outside`;
  if (!isMember(node.body) || !isFresh(view, node.id)) return `${name} is ${nodeState(view, node)}`;
  if (answersProbes(view, node.id, 'ingress_check')) return null;
  return `the agent of ${name} is too old, or may not try flows (MESH_PROBES=off)`;
}

function notChecked(detail: string): MeshError {
  return new MeshError('ingress_not_checked', detail);
}
