import { containsAddress, nthAddress, overlaps, parseNetwork, readNetwork } from '@meshwork/addresses';
import { NODE_NAME_PATTERN } from '@meshwork/contract';
import { LabError } from '../lab-error.ts';
import { namespacePrefix, UNDERLAY } from './fixed.ts';
import { COORDINATOR, type LabSpec, type NodeSpec, type SubnetSpec } from './lab-spec.ts';

/** A lab with every name and address decided. Kept in its folder, so that other processes can work with it. */
export interface LabPlan {
  readonly name: string;
  /** The namespace that is switch and internet to all nodes. */
  readonly net: string;
  readonly nodes: readonly PlannedNode[];
  readonly subnets: readonly PlannedSubnet[];
}

export interface PlannedNode {
  readonly name: string;
  readonly namespace: string;
  readonly tags: readonly string[];
  readonly routes: readonly string[];
  readonly services: readonly string[];
  /** Absent: the default of the agent. */
  readonly accept_routes?: NodeSpec['accept_routes'];
  /** The port of the switch that its cable ends in. */
  readonly port: string;
  /** Where the others see it. Behind NAT, that is the address of its router. */
  readonly address: string;
  /** Null: behind NAT there is no IPv6. */
  readonly address6: string | null;
  readonly nat: PlannedRouter | null;
}

interface PlannedRouter {
  readonly namespace: string;
  /** Its own address on the side of the node, and the node's, both without prefix. */
  readonly inner_gateway: string;
  readonly inner_address: string;
}

export interface PlannedSubnet {
  readonly cidr: string;
  /** The bridge that it is, in the namespace `net`. */
  readonly bridge: string;
  readonly providers: readonly { readonly node: string; readonly interface: string; readonly address: string }[];
  /** The host in it. Its name is a place like a node's: `host-1`. */
  readonly host: { readonly name: string; readonly namespace: string; readonly address: string };
}

/** Ours: each node behind NAT has a /24 of 192.168.0.0/16, and the lab is for what one machine can carry. */
export const MOST_NODES = 200;
const MOST_PROVIDERS = 8;
const FIRST_NODE = 10;
const HOST_IN_SUBNET = 10;
const LAB_NAME = /^[a-z0-9]{1,16}$/;
/** Places that a lab has besides its nodes. */
const TAKEN = /^(net|coordinator|nat-.*|host-.*)$/;

export function planLab(spec: LabSpec): LabPlan {
  const { name } = spec;
  checkLabName(name);
  checkNodes(spec.nodes);
  const namespaceOf = (place: string) => `${namespacePrefix(name)}${place}`;
  const subnets = (spec.subnets ?? []).map((subnet, index) => planSubnet(subnet, index, namespaceOf));
  const nodes = spec.nodes.map((node, index) => planNode(node, index, { subnets, namespaceOf }));
  checkSubnets(subnets, nodes);
  return { name, net: namespaceOf('net'), nodes, subnets };
}

export function checkLabName(name: string): void {
  if (!LAB_NAME.test(name)) refuse(`the name of a lab is 1 to 16 letters (a-z) and digits, not "${name}"`);
}

interface Around {
  readonly subnets: readonly PlannedSubnet[];
  namespaceOf(place: string): string;
}

function planNode(spec: NodeSpec, index: number, { subnets, namespaceOf }: Around): PlannedNode {
  const { name, tags = [], services = [], routes = [], accept_routes } = spec;
  const number = FIRST_NODE + index;
  const provided = subnets.filter(({ providers }) => providers.some(({ node }) => node === name));
  return {
    name,
    namespace: namespaceOf(name),
    tags,
    services,
    routes: [...new Set([...provided.map(({ cidr }) => cidr), ...routes])],
    ...(accept_routes === undefined ? {} : { accept_routes }),
    port: `p${index + 1}`,
    address: nthAddress(readNetwork(UNDERLAY.network), number),
    address6: spec.nat === true ? null : `${UNDERLAY.network6}${number.toString(16)}`,
    nat: spec.nat === true ? planRouter(namespaceOf(`nat-${name}`), index) : null,
  };
}

function planRouter(namespace: string, index: number): PlannedRouter {
  const inner = readNetwork(`192.168.${index + 1}.0/24`);
  return { namespace, inner_gateway: nthAddress(inner, 1), inner_address: nthAddress(inner, 2) };
}

function planSubnet(
  { cidr, providers }: SubnetSpec,
  index: number,
  namespaceOf: (place: string) => string,
): PlannedSubnet {
  const network = parseNetwork(cidr);
  if (network?.family !== 4 || network.prefix < 8 || network.prefix > 28) {
    refuse(`a subnet is an IPv4 network of /8 to /28, such as 10.50.0.0/24, not "${cidr}"`);
  }
  if (providers.length === 0 || providers.length > MOST_PROVIDERS) {
    refuse(`the subnet ${cidr} needs 1 to ${MOST_PROVIDERS} nodes that lead to it, such as ${cidr}=node,node`);
  }
  const host = `host-${index + 1}`;
  return {
    cidr,
    bridge: `s${index + 1}`,
    providers: [...new Set(providers)].map((node, at) => ({
      node,
      interface: `eth${index + 1}`,
      address: nthAddress(network, at + 2),
    })),
    host: { name: host, namespace: namespaceOf(host), address: nthAddress(network, HOST_IN_SUBNET) },
  };
}

function checkNodes(nodes: readonly NodeSpec[]): void {
  if (nodes.length === 0 || nodes.length > MOST_NODES) refuse(`a lab has 1 to ${MOST_NODES} nodes`);
  const names = new Set<string>();
  for (const { name } of nodes) {
    if (!new RegExp(NODE_NAME_PATTERN).test(name)) refuse(`a node cannot be called "${name}"`);
    if (TAKEN.test(name)) refuse(`a node cannot be called "${name}": the lab has a place of its own with this name`);
    if (names.has(name)) refuse(`two nodes are called "${name}"`);
    names.add(name);
  }
}

function checkSubnets(subnets: readonly PlannedSubnet[], nodes: readonly PlannedNode[]): void {
  for (const [index, { cidr, providers }] of subnets.entries()) {
    const network = readNetwork(cidr);
    if (overlaps(network, readNetwork(UNDERLAY.network)))
      refuse(`the subnet ${cidr} meets ${UNDERLAY.network}, which joins the nodes`);
    const other = subnets.slice(0, index).find((before) => overlaps(readNetwork(before.cidr), network));
    if (other !== undefined) refuse(`the subnets ${other.cidr} and ${cidr} meet`);
    for (const { node } of providers) {
      if (!nodes.some(({ name }) => name === node)) refuse(`there is no node "${node}" to lead to ${cidr}`);
    }
    const behind = nodes.find(({ nat }) => nat !== null && containsAddress(network, nat.inner_address));
    if (behind !== undefined) refuse(`the subnet ${cidr} meets the network that ${behind.name} has behind its router`);
  }
}

/** A node by its name. The coordinator is none, but a link to it can be cut too. */
export function plannedNode(plan: LabPlan, name: string): PlannedNode {
  const node = plan.nodes.find((candidate) => candidate.name === name);
  if (node !== undefined) return node;
  const what = name === COORDINATOR ? 'the coordinator is no node' : `there is no node "${name}"`;
  const names = plan.nodes.map((each) => each.name).join(', ');
  throw new LabError('not_found', `${what} of the lab "${plan.name}"; its nodes are ${names}`);
}

function refuse(message: string): never {
  throw new LabError('usage', message);
}
