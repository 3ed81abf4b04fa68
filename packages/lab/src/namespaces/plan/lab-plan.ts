import { nthAddress, overlaps, parseNetwork, readNetwork } from '@meshwork/addresses';
import { NODE_NAME_PATTERN } from '@meshwork/contract';
import { LabError } from '../lab-error.ts';
import { namespacePrefix, PUBLIC_UNDERLAY, UNDERLAY, type Underlay } from './fixed.ts';
import { COORDINATOR, type LabSpec, type NodeSpec, type SubnetSpec } from './lab-spec.ts';
import { type Location, locate, nodeMac } from './location.ts';
import { checkPlaces, type PlannedSite, planSites } from './site-plan.ts';

/** A lab with every name and address decided. Kept in its folder, so that other processes can work with it. */
export interface LabPlan {
  readonly name: string;
  /** The namespace that is switch and internet to all nodes. */
  readonly net: string;
  readonly underlay: Underlay;
  readonly nodes: readonly PlannedNode[];
  readonly subnets: readonly PlannedSubnet[];
  /** Carriers first, then those behind them. The router of a single node is a site of the node's name. */
  readonly sites: readonly PlannedSite[];
}

export interface PlannedNode extends Location {
  readonly name: string;
  readonly namespace: string;
  /** Its place among all nodes, from which its addresses follow wherever it is. */
  readonly index: number;
  readonly tags: readonly string[];
  readonly routes: readonly string[];
  readonly services: readonly string[];
  /** Absent: the default of the agent. */
  readonly accept_routes?: NodeSpec['accept_routes'];
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
const HOST_IN_SUBNET = 10;
const LAB_NAME = /^[a-z0-9]{1,16}$/;
/** Places that a lab has besides its nodes. */
const TAKEN = /^(net|internet|coordinator|nat-.*|host-.*)$/;

export function planLab(spec: LabSpec): LabPlan {
  const { name } = spec;
  checkLabName(name);
  checkNodes(spec.nodes);
  const namespaceOf = (place: string) => `${namespacePrefix(name)}${place}`;
  const underlay = (spec.sites ?? []).length === 0 ? UNDERLAY : PUBLIC_UNDERLAY;
  const shared = planSites(spec.sites ?? [], namespaceOf);
  checkPlaces(spec);
  const subnets = (spec.subnets ?? []).map((subnet, index) => planSubnet(subnet, index, namespaceOf));
  const sites = [...shared, ...spec.nodes.flatMap((node, index) => ownSite(node, index, { underlay, namespaceOf }))];
  const nodes = spec.nodes.map((node, index) => planNode(node, index, { subnets, sites, underlay, namespaceOf }));
  const plan = { name, net: namespaceOf('net'), underlay, nodes, subnets, sites };
  checkSubnets(plan);
  return plan;
}

export function checkLabName(name: string): void {
  if (!LAB_NAME.test(name)) refuse(`the name of a lab is 1 to 16 letters (a-z) and digits, not "${name}"`);
}

interface Around {
  readonly underlay: Underlay;
  readonly subnets: readonly PlannedSubnet[];
  readonly sites: readonly PlannedSite[];
  namespaceOf(place: string): string;
}

function planNode(spec: NodeSpec, index: number, { subnets, sites, underlay, namespaceOf }: Around): PlannedNode {
  const { name, tags = [], services = [], routes = [], accept_routes } = spec;
  const provided = subnets.filter(({ providers }) => providers.some(({ node }) => node === name));
  const wanted = spec.nat === true ? name : spec.site;
  return {
    name,
    namespace: namespaceOf(name),
    index,
    tags,
    services,
    routes: [...new Set([...provided.map(({ cidr }) => cidr), ...routes])],
    ...(accept_routes === undefined ? {} : { accept_routes }),
    ...locate(index, sites.find((site) => site.name === wanted) ?? null, underlay),
  };
}

/** Of a node with a router of its own, which has the place on the switch that the node would have. */
function ownSite(
  { name, nat }: NodeSpec,
  index: number,
  { underlay, namespaceOf }: Pick<Around, 'underlay' | 'namespaceOf'>,
): PlannedSite[] {
  if (nat !== true) return [];
  const { port, address } = locate(index, null, underlay);
  return [
    {
      name,
      namespace: namespaceOf(`nat-${name}`),
      nat: 'masquerade',
      hairpin: false,
      egress: 'everything',
      behind: null,
      port,
      mac: nodeMac(index),
      four: { address, gateway: underlay.gateway, seen_at: address, lan: `192.168.${index + 1}.0/24` },
      six: null,
    },
  ];
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

function checkSubnets({ subnets, nodes, sites, underlay }: LabPlan): void {
  for (const [index, { cidr, providers }] of subnets.entries()) {
    const network = readNetwork(cidr);
    const joining = [underlay.network, underlay.routers].find(
      (one) => one !== null && overlaps(network, readNetwork(one)),
    );
    if (joining != null) refuse(`the subnet ${cidr} meets ${joining}, which joins the nodes`);
    const other = subnets.slice(0, index).find((before) => overlaps(readNetwork(before.cidr), network));
    if (other !== undefined) refuse(`the subnets ${other.cidr} and ${cidr} meet`);
    for (const { node } of providers) {
      if (!nodes.some(({ name }) => name === node)) refuse(`there is no node "${node}" to lead to ${cidr}`);
    }
    const behind = sites.find(({ four }) => four !== null && overlaps(network, readNetwork(four.lan)));
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
