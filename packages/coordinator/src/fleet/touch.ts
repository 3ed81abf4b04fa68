import type { Kind, NodeDocument, ReportDocument } from '../mesh/kinds.ts';
import type { Changed, View } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import { type FleetIndexes, selectorsOf } from './fleet-indexes.ts';
import type { Touched } from './touched.ts';

interface Around {
  readonly touched: Touched;
  readonly indexes: FleetIndexes;
  readonly model: View;
}
type Touch<K extends Kind> = (change: Changed<K>, around: Around) => void;

/** What a change of each kind puts in question. Model and indexes have followed the change already. */
const TOUCHES: { readonly [K in Kind]?: Touch<K> } = {
  node: ({ id, before, after }, around) => {
    const { touched } = around;
    touched.nodes.add(id);
    for (const node of [before, after]) for (const cidr of node?.body.routes_approved ?? []) touched.cidrs.add(cidr);
    touchIngresses(id, after?.body, around);
    if (mayStay(before?.body) !== mayStay(after?.body)) touchRelaysOf(id, around);
  },

  liveness: ({ id, before, after }, around) => {
    if ((before === undefined) === (after === undefined)) return;
    touchRelaysOf(id, around);
    const node = around.model.get('node', id)?.body;
    for (const cidr of node?.routes_approved ?? []) around.touched.cidrs.add(cidr);
    touchIngresses(id, node, around);
  },

  report: ({ id, before, after }, around) => {
    const { touched } = around;
    const offered = new Set(after?.body.routes_offered);
    for (const cidr of offered.symmetricDifference(new Set(before?.body.routes_offered))) touched.cidrs.add(cidr);
    if (rolesOf(before?.body) === rolesOf(after?.body)) return;
    const node = around.model.get('node', id)?.body;
    touched.nodes.add(id);
    for (const cidr of node?.routes_approved ?? []) touched.cidrs.add(cidr);
    touchRelaysOf(id, around);
    touchIngresses(id, node, around);
  },

  relay: ({ id }, { touched }) => void touched.relays.add(id),

  assignment: ({ before, after }, { touched }) => {
    if (before !== undefined && before.body.relay !== after?.body.relay) touched.openings.add(before.body.relay);
  },

  ingress: ({ id }, { touched }) => void touched.ingresses.add(id),
};

export function touch<K extends Kind>(change: Changed<K>, around: Around): void {
  const touchOf: Touch<K> | undefined = TOUCHES[change.kind];
  touchOf?.(change, around);
}

function mayStay(node: NodeDocument | undefined): boolean {
  return node !== undefined && isMember(node) && node.draining_since === null;
}

/** What decides about the roles of a node: whether it was ever heard, and what it can carry. */
function rolesOf(report: ReportDocument | undefined): string {
  return [(report?.boots.length ?? 0) > 0, ...(report?.abilities?.sections ?? ['assumed'])].join();
}

function touchRelaysOf(node: string, { touched, indexes }: Around): void {
  for (const name of indexes.relays.of(node)) touched.relays.add(name);
}

/** Those that it serves, and those that lack a gateway and would have it. */
function touchIngresses(id: string, node: NodeDocument | undefined, { touched, indexes }: Around): void {
  for (const ingress of indexes.placed.of(id)) touched.ingresses.add(ingress);
  if (node === undefined) return;
  for (const selector of selectorsOf(node)) {
    for (const ingress of indexes.short.of(selector)) touched.ingresses.add(ingress);
  }
}
