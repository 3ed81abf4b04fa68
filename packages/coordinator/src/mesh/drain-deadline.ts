/** When gateways end what is still open through an ingress that drains. */
import { type NodeId, utc } from '@meshwork/contract';
import type { DrainDeadline } from '../kinds/ingress.ts';
import type { View } from './model.ts';

/** Null: never. */
export function drainDeadline(now_ms: number, after_s: number | undefined): DrainDeadline | null {
  return after_s === undefined ? null : { at: utc(now_ms + after_s * 1000), after_s };
}

/** On one gateway: of a drain of the ingress, or of the node, whichever comes first. Null: never. */
export function deadlineOn(view: View, gateway: NodeId, id: string): DrainDeadline | null {
  const ingress = view.get('ingress', id)?.body;
  const node = view.get('node', gateway)?.body;
  const isLeaving = view.get('placement', id)?.body.gateways.some((one) => one.node === gateway && one.draining);
  const own = ingress?.draining === true ? (ingress.drain?.deadline ?? null) : null;
  const of_node = isLeaving === true && node?.draining_since != null ? (node.drain_deadline ?? null) : null;
  if (own === null || of_node === null) return own ?? of_node;
  return Date.parse(own.at) <= Date.parse(of_node.at) ? own : of_node;
}
