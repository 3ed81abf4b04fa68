import { type CompiledFirewall, MeshError, type NodeId } from '@meshwork/contract';
import { type AclPeer, compileNode, type FirewallRule } from '@meshwork/policy';
import { hostRulesFor } from '../../mesh/host-rules.ts';
import type { Stored, View } from '../../mesh/model.ts';
import { nodeNamed } from '../../mesh/node-state.ts';
import { NODE_TABLE, type NodeNeeds } from '../../node-status/agent-needs.ts';
import { peersOfNode, type Reach, termsBetween } from '../../views/reach.ts';
import type { Runtime } from '../runtime.ts';
import { findingsOf, mergeFindings } from './findings.ts';

export interface Parts {
  readonly runtime: Runtime;
  /** Of each node, as of now. */
  readonly needsIn: (view: View) => NodeNeeds;
}

/** What a node filters by once everything it was sent is in effect. */
export function showNode(text: string, { runtime, needsIn }: Parts): CompiledFirewall {
  const { model } = runtime.mesh;
  const node = presentNode(model, text);
  const rules = hostRulesFor(model, node.body);
  return {
    node: node.id,
    name: node.body.name,
    rules: rules.map(({ id }) => id),
    text: compiledFor(node, { view: model, reach: runtime.views.reach, rules }),
    findings: mergeFindings(findingsOf(rules, needsIn(model).of(node.id), 1), rules),
    rolled_back: model.get('rollback', node.id)?.body.sections.firewall ?? null,
    revision: model.revision,
  };
}

/** By id or by name. One that was removed filters nothing of ours. */
export function presentNode(view: View, text: string): Stored<'node'> {
  const node = nodeNamed(view, text);
  if (node === undefined || node.body.removed_at !== null) {
    throw new MeshError('not_found', `There is no node "${text}".`);
  }
  return node;
}

/** `rules`: those that hold for it. The peers are those of the policy in effect. */
export function compiledFor(
  node: Stored<'node'>,
  { view, reach, rules }: { readonly view: View; readonly reach: Reach; readonly rules: readonly FirewallRule[] },
): string {
  return compileNode({ ...NODE_TABLE, peers: peersOf(view, reach, node.id as NodeId), rules }).text;
}

function peersOf(view: View, reach: Reach, id: NodeId): readonly AclPeer[] {
  return Array.from(peersOfNode(reach, id), (peer) => {
    const body = view.get('node', peer)?.body;
    const terms = termsBetween(reach, id, peer);
    if (body === undefined || terms === undefined)
      throw new Error(`${peer} is a peer of ${id} and is not in the mesh.`);
    return { addresses: [body.address, body.address6], terms };
  });
}
