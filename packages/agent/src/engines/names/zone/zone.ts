/**
 * The names of the mesh, as this node may resolve them: nodes, services and records. A name costs one look-up, however many there
 * are, and a change costs what it touches. Names here are in lower case and without the domain of the mesh: `git-1`.
 */
import type { DnsSection } from '@meshwork/contract';
import { SERVICE_DOMAIN } from '@meshwork/contract/vocabulary';
import { withoutPrefix } from '../../../view/chosen-routes.ts';

/** A node as the view has it: records of peers are not copied. */
export interface ZoneNode {
  readonly name: string;
  /** With prefix, as the coordinator sends it. */
  readonly address: string;
  readonly address6: string;
  readonly services?: readonly { readonly name: string; readonly protocol: 'tcp' | 'udp'; readonly port: number }[];
}

type ZoneRecord = DnsSection['records'][number];

/** What a name has. None of these: the name is there, with nothing of its own. */
export interface Found {
  readonly addresses?: readonly string[];
  readonly cname?: string;
  readonly services?: readonly { readonly port: number; readonly target: string }[];
}

/** Ours: as many nodes of one service as an answer names, which fit into one datagram. Each answer has the next ones. */
const MAX_OF_SERVICE = 16;
const NOTHING: Found = {};
/** `_git._tcp`, and of which node. */
const SERVICE_NAME = /^_([a-z0-9-]+)\._(tcp|udp)(?:\.(.+))?$/;
const PROTOCOL_NAME = /^_(tcp|udp)(?:\.(.+))?$/;

export class Zone {
  readonly #nodes = new Map<string, ZoneNode>();
  /** By address with prefix, both families. */
  readonly #byAddress = new Map<string, ZoneNode>();
  /** Names of nodes by `tcp/git`. */
  readonly #offering = new Map<string, Set<string>>();
  #records: ReadonlyMap<string, ZoneRecord> = new Map();
  /** Names that are there only because there is one below them. */
  #above: ReadonlySet<string> = new Set();
  #turn = 0;
  /** A name that is there only while it is looked up to see whether programs come here. */
  probe: { readonly name: string; readonly addresses: readonly string[] } | undefined;

  get size(): number {
    return this.#nodes.size + this.#records.size;
  }

  nodes(): Iterable<ZoneNode> {
    return this.#nodes.values();
  }

  clearNodes(): void {
    for (const table of [this.#nodes, this.#byAddress, this.#offering]) table.clear();
  }

  put(node: ZoneNode): void {
    const before = this.#nodes.get(node.name);
    if (before !== undefined) this.remove(before);
    this.#nodes.set(node.name, node);
    for (const address of [node.address, node.address6]) this.#byAddress.set(address, node);
    for (const { name, protocol } of node.services ?? []) {
      const key = `${protocol}/${name}`;
      const offering = this.#offering.get(key);
      if (offering === undefined) this.#offering.set(key, new Set([node.name]));
      else offering.add(node.name);
    }
  }

  /**
   * Only if it is the one that has the name: another node may have taken it meanwhile. It is known by its address, and not as
   * the same object: a node whose endpoints changed was not put again.
   */
  remove({ name: of, address: at }: Pick<ZoneNode, 'name' | 'address'>): void {
    const node = this.#nodes.get(of);
    if (node === undefined || node.address !== at) return;
    this.#nodes.delete(node.name);
    for (const address of [node.address, node.address6]) {
      if (this.#byAddress.get(address) === node) this.#byAddress.delete(address);
    }
    for (const { name, protocol } of node.services ?? []) {
      const key = `${protocol}/${name}`;
      const offering = this.#offering.get(key);
      offering?.delete(node.name);
      if (offering?.size === 0) this.#offering.delete(key);
    }
  }

  setRecords(records: readonly ZoneRecord[]): void {
    this.#records = new Map(records.map((record) => [record.name, record]));
    this.#above = new Set(records.flatMap(({ name }) => [...parentsOf(name)]));
  }

  /** In its shortest spelling. Undefined: no node has it. */
  nameAt(address: string): string | undefined {
    return this.#byAddress.get(`${address}/${address.includes(':') ? 128 : 32}`)?.name;
  }

  /** Undefined: there is no such name. */
  find(name: string): Found | undefined {
    if (name === this.probe?.name) return { addresses: this.probe.addresses };
    const node = this.#nodes.get(name);
    if (node !== undefined) return { addresses: addressesOf(node) };
    const record = this.#records.get(name);
    if (record !== undefined) return contentOf(record);
    return this.#service(name) ?? (this.#above.has(name) ? NOTHING : this.#wildcard(name));
  }

  #service(name: string): Found | undefined {
    const ending = `.${SERVICE_DOMAIN}`;
    if (name.endsWith(ending)) {
      const service = name.slice(0, -ending.length);
      const nodes = [...this.#someOffering(`tcp/${service}`), ...this.#someOffering(`udp/${service}`)];
      return nodes.length === 0 ? undefined : { addresses: [...new Set(nodes)].flatMap(addressesOf) };
    }
    const [, service, protocol, of] = SERVICE_NAME.exec(name) ?? [];
    if (service !== undefined) {
      const node = of === undefined ? undefined : this.#nodes.get(of);
      const nodes = of === undefined ? this.#someOffering(`${protocol}/${service}`) : node === undefined ? [] : [node];
      const services = nodes.flatMap((one) =>
        (one.services ?? [])
          .filter((offered) => offered.name === service && offered.protocol === protocol)
          .map(({ port }) => ({ port, target: one.name })),
      );
      return services.length === 0 ? undefined : { services };
    }
    return this.#isAboveServices(name) ? NOTHING : undefined;
  }

  #isAboveServices(name: string): boolean {
    if (name === SERVICE_DOMAIN) return this.#offering.size > 0;
    const [, protocol, of] = PROTOCOL_NAME.exec(name) ?? [];
    if (protocol === undefined) return false;
    if (of !== undefined) return this.#nodes.get(of)?.services?.some((one) => one.protocol === protocol) === true;
    return [...this.#offering.keys()].some((key) => key.startsWith(`${protocol}/`));
  }

  /** All of them, or the next few. */
  #someOffering(key: string): readonly ZoneNode[] {
    const offering = this.#offering.get(key);
    if (offering === undefined) return [];
    const from = offering.size <= MAX_OF_SERVICE ? 0 : (this.#turn++ * MAX_OF_SERVICE) % offering.size;
    const nodes: ZoneNode[] = [];
    let place = 0;
    for (const name of offering) {
      if (place++ < from) continue;
      const node = this.#nodes.get(name);
      if (node !== undefined && nodes.push(node) === MAX_OF_SERVICE) break;
    }
    return nodes;
  }

  /** By the closest name that is there (RFC 4592): a wildcard further up does not reach below it. */
  #wildcard(name: string): Found | undefined {
    for (const parent of parentsOf(name)) {
      const record = this.#records.get(`*.${parent}`);
      if (record !== undefined) return contentOf(record);
      if (this.#nodes.has(parent) || this.#records.has(parent) || this.#above.has(parent)) return undefined;
    }
    return undefined;
  }
}

function* parentsOf(name: string): Generator<string> {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) yield name.slice(dot + 1);
}

function addressesOf({ address, address6 }: ZoneNode): readonly string[] {
  return [withoutPrefix(address), withoutPrefix(address6)];
}

function contentOf({ addresses, cname }: ZoneRecord): Found {
  return cname === undefined ? { addresses: addresses ?? [] } : { cname };
}
