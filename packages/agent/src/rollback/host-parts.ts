/**
 * What a node's way to its coordinator depends on, out of all that it is told. Only these parts are ever rolled back.
 * What peers may do here is none of them: a revoked grant stays revoked, however long the coordinator is away. See decision 0039.
 */
import type { AppliedSection, FirewallSection } from '@meshwork/contract';
import { MESH_INTERFACE } from '@meshwork/contract/vocabulary';
import type { HostName } from '../engines/names/host-names.ts';
import type { NetworkPlan } from '../engines/network/mesh-network.ts';

type Rules = Readonly<FirewallSection>;

export interface HostParts {
  /** Entries of `/etc/hosts` that could stand for a coordinator. Of most nodes there are none. */
  readonly names: readonly HostName[];
  /** What the node itself is: its addresses, the networks of the mesh, and what it forwards to. */
  readonly network: Pick<NetworkPlan, 'addresses' | 'forwarded'> & { readonly networks: readonly string[] };
  /** Networks that are reached through peers. */
  readonly routes: readonly string[];
  /**
   * Host rules about what the node sends outside of the mesh. Answers pass before rules are asked, so those about what
   * comes in have no say in whether a coordinator is reached.
   */
  readonly egress: Rules;
}

export type PartName = keyof HostParts;

/** The section that brings a part, and that a rollback of it is reported with. In the order in which suspects are retried. */
export const SECTION_OF = {
  names: 'peers',
  network: 'self',
  routes: 'acl',
  egress: 'firewall',
} as const satisfies Readonly<Record<PartName, AppliedSection>>;
export const PART_NAMES = Object.keys(SECTION_OF) as readonly PartName[];

/** A node that was told nothing yet. A heartbeat is answered under this before anything else can be. */
export const NO_PARTS: HostParts = {
  names: [],
  network: { addresses: [], networks: [], forwarded: [] },
  routes: [],
  egress: [],
};

export function egressOf(rules: Rules): Rules {
  return rules.filter(concernsUnderlay);
}

/** A rule that only logs, or that is about the mesh or ICMP, has no say in whether a coordinator is reached. */
function concernsUnderlay({ direction, interface: name, action, protocol }: Rules[number]): boolean {
  return direction === 'out' && action !== 'log' && protocol !== 'icmp' && name !== 'mesh' && name !== MESH_INTERFACE;
}

/** The wanted rules with other ones about the underlay. Those about the mesh come first: they are in effect in any case. */
export function withEgress(rules: Rules, egress: Rules): Rules {
  return [...rules.filter((rule) => !concernsUnderlay(rule)), ...egress];
}

/** Those that a resolver could answer with when it is asked for one of these hosts, with search domains or without. */
export function namesLike(hosts: readonly string[], names: readonly HostName[]): readonly HostName[] {
  const taken = new Set(hosts.flatMap((host) => [host.toLowerCase(), host.toLowerCase().split('.', 1)[0] ?? '']));
  return names.filter(({ name }) => taken.has(name) || taken.has(`${name}.mesh`));
}

export function withNames(
  names: readonly HostName[],
  { wanted, chosen }: { readonly wanted: HostParts['names']; readonly chosen: HostParts['names'] },
): readonly HostName[] {
  return wanted === chosen ? names : [...names.filter((one) => !wanted.includes(one)), ...chosen];
}

export function networkOf(plan: NetworkPlan, networks: readonly string[]): HostParts['network'] {
  return { addresses: plan.addresses, networks, forwarded: plan.forwarded };
}

export function routesOf(plan: NetworkPlan, networks: readonly string[]): HostParts['routes'] {
  return plan.routes.filter((route) => !networks.includes(route)).toSorted();
}

/** The wanted plan with the chosen parts in it. It never forwards to more than is wanted now. */
export function withNetwork(
  plan: NetworkPlan,
  { network, routes }: Pick<HostParts, 'network' | 'routes'>,
): NetworkPlan {
  return {
    addresses: network.addresses,
    routes: [...new Set([...network.networks, ...routes])],
    forwarded: plan.forwarded.filter((one) => network.forwarded.includes(one)),
    kept_out: plan.kept_out,
  };
}
