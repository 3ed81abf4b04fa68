/** What the engines get: all that is wanted, with the parts that the guard holds back as they were proven. */
import type { Applied, AppliedSection, FirewallSection } from '@meshwork/contract';
import type { Kept } from '../view/held-records.ts';
import type { View } from '../view/held-view.ts';
import type { HostName } from '../engines/names/host-names.ts';
import type { NetworkPlan } from '../engines/network/mesh-network.ts';
import {
  egressOf,
  type HostParts,
  namesLike,
  networkOf,
  type PartName,
  routesOf,
  SECTION_OF,
  withEgress,
  withNames,
  withNetwork,
} from './host-parts.ts';
import type { Chosen, Part } from './rollback-state.ts';

/** Has the last word on the parts that could cut a node off. `RollbackGuard` is the one of a host. */
export interface PartGuard {
  choose<P extends PartName>(part: P, wanted: Part<P>): Chosen<P>;
  put<T>(parts: readonly Chosen[], work: () => Promise<T>): Promise<T>;
  /** How a section falls short because a part of it is held back. Undefined: it does not. */
  shortfall(section: AppliedSection): Applied | undefined;
}

/** Lets everything pass: what is wanted is put into effect and stays so. */
export const NO_GUARD: PartGuard = {
  choose: (part, wanted) => ({ ...wanted, part, text: '' }),
  put: (_, work) => work(),
  shortfall: () => undefined,
};

/** A plan, and the guarded parts that are in it. */
export interface Guarded<T> {
  readonly plan: T;
  readonly parts: readonly Chosen[];
}

export function guardedRules(view: View<Kept>, guard: PartGuard): Guarded<Readonly<FirewallSection>> {
  const rules = view.sections.firewall ?? [];
  const wanted = egressOf(rules);
  const egress = choose(guard, view, 'egress', wanted);
  return { plan: egress.value === wanted ? rules : withEgress(rules, egress.value), parts: [egress] };
}

export function guardedNetwork(view: View<Kept>, plan: NetworkPlan, guard: PartGuard): Guarded<NetworkPlan> {
  const networks = view.sections.self?.networks ?? [];
  const network = choose(guard, view, 'network', networkOf(plan, networks));
  const routes = choose(guard, view, 'routes', routesOf(plan, networks));
  return { plan: withNetwork(plan, { network: network.value, routes: routes.value }), parts: [network, routes] };
}

/** `hosts`: the coordinators, as the agent calls them. */
export function guardedNames(
  view: View<Kept>,
  { all, hosts }: { readonly all: readonly HostName[]; readonly hosts: readonly string[] },
  guard: PartGuard,
): Guarded<readonly HostName[]> {
  const wanted = namesLike(hosts, all);
  const names = choose(guard, view, 'names', wanted);
  return { plan: withNames(all, { wanted, chosen: names.value }), parts: [names] };
}

function choose<P extends PartName>(guard: PartGuard, view: View<Kept>, part: P, value: HostParts[P]): Chosen<P> {
  const section = SECTION_OF[part];
  return guard.choose(part, { value, revision: view.revisionOf(section), digest: view.digestOf(section) });
}
