import { boundaryOf, covers, MeshError, type NodeState, type Scope } from '@meshwork/contract';
import type { NodeDocument } from '../kinds/nodes.ts';
import type { Stored, View } from './model.ts';

/** The state follows from what was decided about the node and from whether it is overdue. The gravest one wins. */
export function nodeState(view: View, node: Stored<'node'>): NodeState {
  const { removed_at, approved_at, quarantined, draining_since } = node.body;
  if (removed_at !== null) return 'removed';
  if (approved_at === null) return 'pending';
  if (quarantined !== null) return 'quarantined';
  const overdue = view.get('liveness', node.id)?.body.state;
  if (overdue !== undefined) return overdue;
  if (!hasSentHeartbeat(view, node.id)) return 'joining';
  return draining_since === null ? 'active' : 'draining';
}

/** Whether any coordinator ever took a heartbeat of the node. Its first one is written before it is answered. */
function hasSentHeartbeat(view: View, node: string): boolean {
  return (view.get('report', node)?.body.boots.length ?? 0) > 0;
}

/** Since when it is in that state. */
export function stateSince(view: View, node: Stored<'node'>): string {
  const { removed_at, approved_at, quarantined, draining_since, created_at } = node.body;
  if (removed_at !== null) return removed_at;
  if (approved_at === null) return created_at;
  if (quarantined !== null) return quarantined.at;
  return view.get('liveness', node.id)?.body.since ?? draining_since ?? approved_at;
}

/** Whether others may talk to it at all: approved, not cut off, not gone. Overdue ones may still be there. */
export function isMember({ approved_at, quarantined, removed_at }: NodeDocument): boolean {
  return approved_at !== null && quarantined === null && removed_at === null;
}

/**
 * Whether it may have a role for others, as relay, gateway or provider of a route: a member that is online and stays.
 */
export function mayServe(view: View, node: Stored<'node'>): boolean {
  return isMember(node.body) && node.body.draining_since === null && isFresh(view, node.id);
}

/** Whether its heartbeats come, and are not overdue. */
export function isFresh(view: View, node: string): boolean {
  return view.get('liveness', node) === undefined && hasSentHeartbeat(view, node);
}

export function boundaryOfNode({ tags }: NodeDocument): Scope {
  let boundary = boundaries.get(tags);
  if (boundary === undefined) {
    boundary = boundaryOf(tags);
    boundaries.set(tags, boundary);
  }
  return boundary;
}
const boundaries = new WeakMap<readonly string[], Scope>();

/** For an event about a node: its subject, and the scope of who may read it. */
export function aboutNode({ id, body }: Pick<Stored<'node'>, 'id' | 'body'>) {
  return { subject: { kind: 'node', id }, scope: boundaryOfNode(body) } as const;
}

/** The node of that id or name, if the caller may know of it. What lies outside its scope is not there for it. */
export function findNode(view: View, text: string, scope: Scope): Stored<'node'> {
  const node = nodeNamed(view, text);
  if (node === undefined) throw new MeshError('not_found', notThere(text));
  if (!covers(scope, boundaryOfNode(node.body))) {
    throw new MeshError('not_found', notThere(text), { refused_as: 'outside_scope' });
  }
  return node;
}

function notThere(text: string): string {
  return `There is no node "${text}".`;
}

/** By id or by name, which never look alike: ids have an underscore. Removed nodes have no name any more. */
export function nodeNamed(view: View, text: string): Stored<'node'> | undefined {
  const byId = view.get('node', text);
  if (byId !== undefined) return byId;
  const holder = view.get('claim', `name/${text}`)?.body.holder;
  return holder === undefined ? undefined : view.get('node', holder);
}
