/** The names that are wanted on this host, from the view. */
import type { DnsSection } from '@meshwork/contract';
import { arrayOf, object, string } from '@meshwork/contract/answers';
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';
import { type Chosen, choosePart, type GuardedPart, type PartGuard } from '../../rollback/guarded-part.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { HostName } from './hosts-file/host-names.ts';
import type { ZoneNode } from './zone/zone.ts';

/** Entries that could stand for a coordinator. Of most nodes there are none. */
export const NAMES_PART: GuardedPart<readonly HostName[]> = {
  name: 'names',
  section: 'peers',
  none: [],
  shape: arrayOf(object({ name: string, addresses: arrayOf(string) })),
};

type RoutingDomain = DnsSection['routing_domains'][number];

/** Routing domains that a coordinator lies in: without them it is resolved as it always was. */
export const DOMAINS_PART: GuardedPart<readonly RoutingDomain[]> = {
  name: 'routing domains',
  section: 'dns',
  none: [],
  shape: arrayOf(object({ domain: string, resolvers: arrayOf(string) })),
};

/** The node's own name, and those of its peers. */
export function hostNames(view: HeldView): HostName[] {
  return Array.from(allNamed(view), hostName);
}

interface GuardedNames {
  /** All of them. Made only where it is asked for. */
  readonly nodes: () => readonly ZoneNode[];
  readonly parts: readonly Chosen[];
}

/** `hosts`: the coordinators, as the agent calls them. */
export function guardedNames(view: HeldView, hosts: readonly string[], guard: PartGuard): GuardedNames {
  const isLike = likenessTo(hosts);
  const wanted = [...allNamed(view)].filter(isLike).map(hostName);
  const chosen = choosePart(guard, view, NAMES_PART, wanted);
  const isWanted = chosen.value === wanted;
  const unlike = () => [...allNamed(view)].filter((one) => !isLike(one));
  return {
    nodes: () => (isWanted ? [...allNamed(view)] : [...unlike(), ...chosen.value.flatMap(zoneNode)]),
    parts: [chosen],
  };
}

/** Those that the node may resolve and that take no name of a coordinator. */
export function ownRecords(view: HeldView, hosts: readonly string[]): DnsSection['records'] {
  const isLike = likenessTo(hosts);
  const records = view.sections.dns?.records.filter((record) => !isLike(record)) ?? [];
  return [...records, ...emptyUnderWildcards(records, hosts)];
}

/** A name that is there with nothing of its own is covered by no wildcard. */
function emptyUnderWildcards(records: DnsSection['records'], hosts: readonly string[]): DnsSection['records'] {
  const wildcards = records.filter(({ name }) => name.startsWith('*.')).map(({ name }) => name.slice(1));
  if (wildcards.length === 0) return [];
  const asked = hosts.map((host) => host.toLowerCase());
  const names = new Set([...asked, ...asked.map((host) => host.replace(new RegExp(`\\.${MESH_DOMAIN}$`), ''))]);
  const covered = [...names].filter((name) => wildcards.some((ending) => name.endsWith(ending)));
  return covered.map((name) => ({ name, addresses: [] }));
}

/** The routing domains, with those held back that cut the node off from its coordinator. */
export function guardedDomains(
  view: HeldView,
  hosts: readonly string[],
  guard: PartGuard,
): { readonly domains: readonly RoutingDomain[]; readonly parts: readonly Chosen[] } {
  const covers = ({ domain }: RoutingDomain) => hosts.some((host) => `.${host.toLowerCase()}`.endsWith(`.${domain}`));
  const all = view.sections.dns?.routing_domains ?? [];
  const chosen = choosePart(guard, view, DOMAINS_PART, all.filter(covers));
  return { domains: [...all.filter((one) => !covers(one)), ...chosen.value], parts: [chosen] };
}

/** Whether a node is resolved as it was. */
export function sameName(one: ZoneNode | undefined, other: ZoneNode | undefined): boolean {
  const isSame = one?.name === other?.name && one?.address === other?.address && one?.address6 === other?.address6;
  return isSame && JSON.stringify(one?.services) === JSON.stringify(other?.services);
}

function* allNamed(view: HeldView): Generator<ZoneNode> {
  if (view.sections.self !== undefined) yield view.sections.self;
  yield* view.peers.all();
}

/** Whether a resolver could answer with a name when it is asked for one of these hosts, with search domains or without. */
function likenessTo(hosts: readonly string[]): (named: { readonly name: string }) => boolean {
  const taken = new Set(hosts.flatMap((host) => [host.toLowerCase(), host.toLowerCase().split('.', 1)[0] ?? '']));
  return ({ name }) => taken.has(name) || taken.has(`${name}.${MESH_DOMAIN}`);
}

export function hostName({ name, address, address6 }: ZoneNode): HostName {
  return { name, addresses: [address, address6].map(withoutPrefix) };
}

function zoneNode({ name, addresses: [address, address6] }: HostName): ZoneNode[] {
  if (address === undefined || address6 === undefined) return [];
  return [{ name, address: `${address}/32`, address6: `${address6}/128` }];
}
