import { nthAddress, overlaps, parseNetwork, readNetwork } from '@meshwork/addresses';
import { NODE_NAME_PATTERN } from '@meshwork/contract';
import { LabError } from '../lab-error.ts';
import { PUBLIC_UNDERLAY } from './fixed.ts';
import { COORDINATOR, type Egress, INTERNET, type LabSpec, type SiteSpec } from './lab-spec.ts';
import { NAT_KINDS, type NatKind, remembersMappings } from './nat-kinds.ts';

/** A site with every name and address decided. */
export interface PlannedSite {
  readonly name: string;
  /** Of its router. */
  readonly namespace: string;
  readonly nat: NatKind;
  readonly hairpin: boolean;
  readonly egress: Egress;
  /** The site that its router is in. Null: it is on the switch. */
  readonly behind: string | null;
  /** The port of the switch that leads to it: of its own router, or of the carrier's. */
  readonly port: string;
  /** Of its router's interface outside. */
  readonly mac: string;
  /** Null: it has no IPv4. */
  readonly four: SiteFour | null;
  /** Null: it has no IPv6. */
  readonly six: { readonly address: string; readonly lan: string } | null;
}

interface SiteFour {
  /** Of its router outside, and the next hop there. */
  readonly address: string;
  readonly gateway: string;
  /** Where the internet sees it: the same, unless it is behind a carrier. */
  readonly seen_at: string;
  readonly lan: string;
}

/** Ours: each site has a /24 of those of 192.168.0.0/16 that routers of single nodes leave over. */
const MOST_SITES = 50;
const FIRST_LAN = 201;
const FIRST_ROUTER = 10;
const FIRST_ROUTER6 = 0x1000;
const FIRST_LAN6 = 0x100;

export function planSites(sites: readonly SiteSpec[], namespaceOf: (place: string) => string): PlannedSite[] {
  checkSites(sites);
  const planned = new Map<string, PlannedSite>();
  const carriersFirst = [...sites.entries()].sort(
    ([, a], [, b]) => Number(a.behind !== undefined) - Number(b.behind !== undefined),
  );
  for (const [index, spec] of carriersFirst) {
    const carrier = spec.behind === undefined ? null : (planned.get(spec.behind) ?? null);
    const isCarrier = sites.some(({ behind }) => behind === spec.name);
    planned.set(spec.name, planSite(spec, { index, carrier, isCarrier, namespace: namespaceOf(`nat-${spec.name}`) }));
  }
  return [...planned.values()];
}

interface Around {
  readonly index: number;
  readonly carrier: PlannedSite | null;
  readonly isCarrier: boolean;
  readonly namespace: string;
}

function planSite(spec: SiteSpec, { index, carrier, isCarrier, namespace }: Around): PlannedSite {
  const { name, nat = 'masquerade', hairpin = false, egress = 'everything', families = 'ipv4-only', behind } = spec;
  // RFC 6598: what a carrier has between its own routers and those of its customers. No node has an address of it outside of the mesh.
  const between = isCarrier ? `100.64.${FIRST_LAN + index}.0/24` : `192.168.${FIRST_LAN + index}.0/24`;
  const lan = spec.lan ?? between;
  const upper = carrier?.four ?? null;
  const address = nthAddress(readNetwork(upper?.lan ?? PUBLIC_UNDERLAY.routers), FIRST_ROUTER + index);
  const gateway = upper === null ? PUBLIC_UNDERLAY.gateway : nthAddress(readNetwork(upper.lan), 1);
  return {
    name,
    namespace,
    nat,
    hairpin,
    egress,
    behind: behind ?? null,
    port: carrier?.port ?? `w${index + 1}`,
    mac: `02:4d:45:54:00:${(index + 1).toString(16).padStart(2, '0')}`,
    four: families === 'ipv6-only' ? null : { address, gateway, seen_at: upper?.seen_at ?? address, lan },
    six:
      families === 'ipv4-only'
        ? null
        : {
            address: `${PUBLIC_UNDERLAY.network6}${(FIRST_ROUTER6 + index).toString(16)}`,
            lan: `2001:db8:${(FIRST_LAN6 + index).toString(16)}::`,
          },
  };
}

function checkSites(sites: readonly SiteSpec[]): void {
  if (sites.length > MOST_SITES) refuse(`a lab has up to ${MOST_SITES} sites`);
  const names = new Set<string>();
  for (const site of sites) {
    if (!new RegExp(NODE_NAME_PATTERN).test(site.name) || site.name === INTERNET || site.name === COORDINATOR) {
      refuse(`a site cannot be called "${site.name}"`);
    }
    if (names.has(site.name)) refuse(`two sites are called "${site.name}"`);
    names.add(site.name);
    checkSite(site, sites);
  }
}

function checkSite(
  { name, nat = 'masquerade', hairpin, families = 'ipv4-only', behind, lan }: SiteSpec,
  sites: readonly SiteSpec[],
): void {
  if (!NAT_KINDS.includes(nat)) refuse(`the site ${name} cannot have "${nat}"; there is ${NAT_KINDS.join(', ')}`);
  if (hairpin === true && !remembersMappings(nat))
    refuse(`the router of ${name} is ${nat}, and such a one has no hairpin`);
  if (lan !== undefined) checkLan(name, lan);
  if (behind === undefined) return;
  const carrier = sites.find((site) => site.name === behind);
  if (carrier === undefined) refuse(`there is no site "${behind}" for ${name} to be behind`);
  if (lan !== undefined && lan === carrier.lan)
    refuse(`${name} and its carrier ${behind} cannot both have ${lan} inside`);
  if (carrier.behind !== undefined)
    refuse(`${behind} is behind ${carrier.behind} itself: two routers in a row are the most`);
  if (families !== 'ipv4-only' || carrier.families === 'ipv6-only')
    refuse(`${name} is behind ${behind}, which has IPv4 alone between them`);
}

function checkLan(name: string, lan: string): void {
  const network = parseNetwork(lan);
  const isPrivate = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].some(
    (text) => network !== undefined && overlaps(network, readNetwork(text)),
  );
  if (network?.prefix !== 24 || !isPrivate)
    refuse(`the network inside of ${name} is a private /24, such as 192.168.1.0/24, not "${lan}"`);
}

/** What only the nodes of a lab show. */
export function checkPlaces({ nodes, sites = [] }: LabSpec): void {
  for (const { name, site, nat } of nodes) {
    if (sites.some((each) => each.name === name)) refuse(`a node and a site are called "${name}"`);
    if (site === undefined) continue;
    if (nat === true) refuse(`${name} is in the site ${site}, which has a router already`);
    if (!sites.some((each) => each.name === site)) refuse(`there is no site "${site}" for ${name} to be in`);
    checkHoldsNodes(site, sites);
  }
}

/** Between a carrier and its customers are addresses that the mesh has too. */
export function checkHoldsNodes(
  site: string,
  sites: readonly { readonly name: string; readonly behind?: string | null | undefined }[],
): void {
  const customer = sites.find(({ behind }) => behind === site);
  if (customer !== undefined) refuse(`${site} is the carrier of ${customer.name}, and has no nodes of its own`);
}

function refuse(message: string): never {
  throw new LabError('usage', message);
}
