import { type Address, addressOfEndpoint, formatAddress, holds, parseNetwork } from '@meshwork/addresses';
import type { NodeId } from '@meshwork/contract';
import type { ExplainFacts, NodeFacts, OfferFacts, ProviderFacts } from '@meshwork/policy';
import type { Stored, View } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';
import { ownNetworks } from '../../mesh/own-networks.ts';
import type { Asking } from './asking.ts';
import { linkFacts } from './link-facts.ts';
import { nodeFacts } from './node-facts.ts';

type Visible = (node: Stored<'node'>) => boolean;

/** An address in the mesh means the node that has it; any other leads through those who forward to a network with it. */
export function addressFacts(
  asking: Asking,
  source: Stored<'node'> | undefined,
  parsed: Address,
  isVisible: Visible,
): ExplainFacts['destination'] {
  const { runtime } = asking;
  const address = formatAddress(parsed);
  const holder = runtime.directory.nodeAt(address);
  const node = holder === undefined ? undefined : runtime.mesh.model.get('node', holder);
  if (node !== undefined && isVisible(node)) {
    return {
      kind: 'node',
      node: nodeFacts(asking, node),
      families: [parsed.family],
      link: linkFacts(asking, source, node),
    };
  }
  const own = Object.values(ownNetworks(runtime.mesh.model)).some((network) => holds(network, parsed));
  return {
    kind: 'address',
    address,
    in_mesh: own,
    providers: own ? [] : [...providersOf(asking, source, parsed, isVisible)],
    offers: own ? [] : [...offersOf(asking, parsed, isVisible)],
    holder: own ? undefined : holderOf(asking, source, parsed, isVisible),
  };
}

function* providersOf(
  asking: Asking,
  source: Stored<'node'> | undefined,
  address: Address,
  isVisible: Visible,
): Generator<ProviderFacts> {
  const { runtime } = asking;
  for (const [id, networks] of runtime.routes.all()) {
    const node = runtime.mesh.model.get('node', id);
    if (node === undefined) continue;
    // Who forwards to what is no business of those who may neither see the node nor go through it.
    const hidden = !isVisible(node);
    if (hidden && !mayGoThrough(asking, source, node, address)) continue;
    for (const network of networks) {
      if (!leadsTo(network, address)) continue;
      const link = linkFacts(asking, source, node);
      yield { node: nodeFacts(asking, node), network, link, hidden, is_own: hasAddress(asking, node, address) };
    }
  }
}

/**
 * The node that has an address in a network that it offers. Of others it cannot be said: the same private address may be somewhere
 * else, too.
 */
function holderOf(
  asking: Asking,
  source: Stored<'node'> | undefined,
  address: Address,
  isVisible: Visible,
): NodeFacts | undefined {
  const { runtime } = asking;
  for (const [network, nodes] of runtime.directory.offeredNetworks()) {
    if (!leadsTo(network, address) || parseNetwork(network)?.prefix === 0) continue;
    for (const id of nodes) {
      const node = runtime.mesh.model.get('node', id);
      if (node === undefined || id === source?.id || !isVisible(node)) continue;
      if (hasAddress(asking, node, address)) return nodeFacts(asking, node);
    }
  }
  return undefined;
}

/** Of its own addresses outside the mesh, a node reports those that its peers may find it at. */
function hasAddress({ runtime }: Asking, node: Stored<'node'>, address: Address): boolean {
  const endpoints = runtime.mesh.model.get('report', node.id)?.body.endpoints ?? [];
  return endpoints.some((endpoint) => addressOfEndpoint(endpoint) === formatAddress(address));
}

function mayGoThrough(
  { runtime }: Asking,
  source: Stored<'node'> | undefined,
  provider: Stored<'node'>,
  address: Address,
): boolean {
  const { engine } = runtime.policy;
  const [from, through] = [source && engine.cohortOf(source.id), engine.cohortOf(provider.id)];
  if (from === undefined || through === undefined) return false;
  return engine.grantsBehind(from, through).some(({ to }) => leadsTo(to, address));
}

/** Those whom the caller may see who say that they could, and do not now. */
function* offersOf({ runtime }: Asking, address: Address, isVisible: Visible): Generator<OfferFacts> {
  for (const [network, nodes] of runtime.directory.offeredNetworks()) {
    if (!leadsTo(network, address)) continue;
    for (const id of nodes) {
      const node = runtime.mesh.model.get('node', id);
      if (node === undefined || !isVisible(node) || runtime.routes.of(id).includes(network)) continue;
      yield { name: node.body.name, network, why: whyNot(runtime.mesh.model, node, network) };
    }
  }
}

function whyNot(view: View, node: Stored<'node'>, network: string): OfferFacts['why'] {
  if (!isMember(node.body)) return 'not_member';
  if (!node.body.routes_approved.includes(network)) return 'not_approved';
  return view.get('liveness', node.id as NodeId) === undefined ? 'standby' : 'silent';
}

function leadsTo(network: string, address: Address): boolean {
  const parsed = parseNetwork(network);
  return parsed !== undefined && holds(parsed, address);
}
