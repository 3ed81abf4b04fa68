/** The sections of a heartbeat's answer that concern the node itself, as they should be now. Peers are in `node-views.ts`. */
import type {
  Command,
  FirewallSection,
  IngressAssignment,
  IngressId,
  NodeId,
  RelaySection,
  SelfSection,
} from '@meshwork/contract';
import { COMMAND_KINDS, isOpen, type OperationRunId } from '@meshwork/contract';
import { carries } from '../mesh/abilities.ts';
import { hostRulesFor, nodeRules } from '../mesh/host-rules.ts';
import type { Stored, View } from '../mesh/model.ts';
import { isMember, nodeState } from '../mesh/node-state.ts';
import type { RoutesOf } from './routes-of.ts';

/** A node that is not let in, or cut off, knows its own name and addresses, and nothing else. */
export function selfSection(
  { view, routes, networks }: { readonly view: View; readonly routes: RoutesOf; readonly networks: readonly string[] },
  node: Stored<'node'>,
): SelfSection {
  const { name, address, address6, tags } = node.body;
  return {
    name,
    address: `${address}/32`,
    address6: `${address6}/128`,
    networks: [...networks],
    tags: [...tags],
    state: toldState(view, node),
    routes: [...routes.of(node.id)],
  };
}

/** Whether it is overdue, or was never heard, is for others to know: a node that hears this is neither. */
function toldState(view: View, node: Stored<'node'>): SelfSection['state'] {
  const state = nodeState(view, node);
  if (state !== 'stale' && state !== 'unreachable' && state !== 'joining') return state;
  return node.body.draining_since === null ? 'active' : 'draining';
}

/** Also of a node that is cut off: what its hosts must not do is not lifted by that. */
export function firewallSection(view: View, node: Stored<'node'>): Readonly<FirewallSection> {
  return nodeRules(hostRulesFor(view, node.body));
}

export function relaySection(view: View, node: Stored<'node'>): RelaySection | null {
  const name = view.get('assignment', node.id)?.body.relay;
  const relay =
    name === undefined || !isMember(node.body) || !carries(view, node.id, 'relay')
      ? undefined
      : view.get('relay', name);
  return relay === undefined ? null : { name: relay.id, host: relay.body.host, port: relay.body.port };
}

export function ingressSection(view: View, node: NodeId, served: Iterable<IngressId>): IngressAssignment[] {
  const assignments: IngressAssignment[] = [];
  if (!carries(view, node, 'ingress')) return assignments;
  for (const id of [...served].sort()) {
    const ingress = view.get('ingress', id)?.body;
    const place = view.get('placement', id)?.body.gateways.find((gateway) => gateway.node === node);
    if (ingress === undefined || place === undefined) continue;
    const { hostname, service } = ingress;
    assignments.push({ id, hostname, service, draining: place.draining || ingress.draining });
  }
  return assignments;
}

/** What the node still has to do. An operation leaves the list when its result was reported. */
export function commandsSection(view: View, operations: Iterable<OperationRunId>): Command[] {
  const commands: Command[] = [];
  for (const id of [...operations].sort()) {
    const operation = view.get('operation', id)?.body;
    if (operation === undefined || !isOpen(operation.state)) continue;
    const kind = COMMAND_KINDS.find((known) => known === operation.kind);
    if (kind !== undefined) commands.push({ id, kind });
  }
  return commands;
}
