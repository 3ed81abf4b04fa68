import type { DnsSection } from '@meshwork/contract';
import { MESH_DOMAIN } from '@meshwork/contract/vocabulary';
import { type IngressName, namesAbove } from '../ingress-names.ts';
import type { Zone } from '../zone/zone.ts';
import { encodeSaid, fromIngress, fromZone, passedOn, readNetworks, type Said } from './answer.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { type Query, RCODE, readQuery, refusal } from './query.ts';

type RoutingDomain = DnsSection['routing_domains'][number];

/** Of a message over TCP. */
const LONGEST = 65_535;
const REFUSED: Said = { rcode: RCODE.refused };
const FAILED: Said = { rcode: RCODE.failure };

/**
 * Says what a query is answered with: from the zone, with the gateways of an ingress, by the resolvers of a routing domain, or not
 * at all. A refusal makes the resolver of the host go on to its next server: what is not of the mesh is left alone.
 */
export class NameServer {
  readonly zone: Zone;
  readonly #forwarder: Forwarder;
  #networks = readNetworks([]);
  #domains: ReadonlyMap<string, readonly string[]> = new Map();
  #ingresses: ReadonlyMap<string, readonly string[]> = new Map();
  /** What the host may ask for because of them. */
  #routed: ReadonlySet<string> = new Set();
  /**
   * The servers that the host has beside this one. They are asked for what comes here only because an ingress is above it, by a
   * resolver that does not go on after a refusal. Undefined: the resolver of the host goes on.
   */
  others: (() => Promise<readonly string[]>) | undefined;
  /** Called with each name of the mesh that was asked for. */
  asked: ((name: string) => void) | undefined;

  constructor(zone: Zone, options: ForwarderOptions) {
    this.zone = zone;
    this.#forwarder = new Forwarder(options);
  }

  /** Networks that the mesh takes its addresses from: names of their addresses are its own. */
  setNetworks(networks: readonly string[]): void {
    this.#networks = readNetworks(networks);
  }

  setDomains(domains: readonly RoutingDomain[]): void {
    this.#domains = new Map(domains.map(({ domain, resolvers }) => [domain, resolvers]));
  }

  /** `domains`: by which the host comes to ask for them. */
  setIngresses(names: readonly IngressName[], domains: readonly string[]): void {
    this.#ingresses = new Map(names.map(({ hostname, addresses }) => [hostname, addresses]));
    this.#routed = new Set(domains);
  }

  /** Undefined: no answer at all. */
  answer(raw: Buffer, by: 'udp' | 'tcp'): Buffer | undefined | Promise<Buffer> {
    const query = readQuery(raw);
    if (query === undefined) return undefined;
    if (typeof query === 'number') return refusal(raw, query);
    const limit = by === 'udp' ? query.datagram_bytes : LONGEST;
    if (query.name === MESH_DOMAIN || query.name.endsWith(`.${MESH_DOMAIN}`)) this.asked?.(query.name);
    const said = fromZone(this.zone, query, this.#networks);
    const own = said === undefined || said.rcode === RCODE.no_name ? this.#fromIngress(query) : undefined;
    const known = own ?? said;
    if (known !== undefined) return encodeSaid(query, known, limit);
    const resolvers = query.recursion_desired ? this.#resolversOf(query.name) : undefined;
    if (resolvers !== undefined) return this.#forward(query, resolvers, by, limit);
    const { others } = this;
    if (!query.recursion_desired || others === undefined || !this.#isRouted(query.name)) {
      return encodeSaid(query, REFUSED, limit);
    }
    return others().then((servers) => this.#forward(query, servers, by, limit));
  }

  #isRouted(name: string): boolean {
    return this.#routed.size > 0 && namesAbove(name).some((one) => this.#routed.has(one));
  }

  #fromIngress(query: Query): Said | undefined {
    const addresses = this.#ingresses.get(query.name);
    return addresses === undefined ? undefined : fromIngress(addresses, query);
  }

  async #forward(query: Query, resolvers: readonly string[], by: 'udp' | 'tcp', limit: number): Promise<Buffer> {
    const answer = await this.#forwarder.ask(query, resolvers, by);
    return answer === undefined ? encodeSaid(query, FAILED, limit) : passedOn(query, answer, limit);
  }

  /** Of the longest domain that the name lies in. */
  #resolversOf(name: string): readonly string[] | undefined {
    for (let rest = name; ; rest = rest.slice(rest.indexOf('.') + 1)) {
      const resolvers = this.#domains.get(rest);
      if (resolvers !== undefined || !rest.includes('.')) return resolvers;
    }
  }
}
