import type { NodeKey, OpenEngine } from '../src/engines/engine.ts';
import { FirewallEngine } from '../src/engines/firewall/engine.ts';
import type { NodeFirewall } from '../src/engines/firewall/node-firewall.ts';
import { NamesEngine } from '../src/engines/names/engine.ts';
import type { HostNames } from '../src/engines/names/hosts-file/host-names.ts';
import { NetworkEngine } from '../src/engines/network/engine.ts';
import type { MeshNetwork, NetworkPlan } from '../src/engines/network/mesh-network.ts';
import type { SeenTunnel, Tunnel, TunnelPeer } from '../src/engines/wireguard/tunnel.ts';
import { TunnelEngine } from '../src/engines/wireguard/tunnel-engine.ts';
import { PeerPlaces } from '../src/host/peer-places.ts';

interface Host {
  readonly key?: NodeKey;
  readonly offered?: readonly string[];
  readonly coordinators?: readonly string[];
  readonly now: () => number;
}

/** Engines that record what they are asked for. Each call can be made to fail, and each engine can be made to drift. */
export class RecordedEngines {
  readonly calls: string[] = [];
  readonly failing = new Map<string, Error>();
  readonly drifted = new Map<'tunnel' | 'network' | 'firewall' | 'names', string>();
  peers: readonly TunnelPeer[] = [];
  /** What each was last asked for. */
  rules: readonly string[] = [];
  admitted: readonly string[] = [];
  network: NetworkPlan | undefined;
  names: readonly string[] = [];
  /** By id of the peer: what setting it comes to. */
  wrong: ReadonlyMap<string, string> = new Map();
  seen: SeenTunnel = { public_key: null, port: 51_820, mark: 0, peers: new Map() };

  /** In the order of a host. */
  on({ key = NO_KEY, offered = [], coordinators = [], now }: Host): readonly OpenEngine[] {
    const { tunnel, network, firewall, names } = this.parts;
    const version = async () => 'recorded';
    const accept_routes = 'subnets';
    const places = new PeerPlaces();
    const engines: OpenEngine[] = [
      new FirewallEngine({ firewall, offered, accept_routes }),
      new TunnelEngine({ tunnel, key, port: 51_820, accept_routes, now, places, implementation: 'userspace', version }),
      new NetworkEngine({ network, accept_routes }),
      new NamesEngine(names, coordinators),
    ];
    for (const engine of engines) engine.survey = async () => false; // they would read the rules of the host that tests run on
    return engines;
  }

  readonly parts: Parts = {
    tunnel: {
      open: ({ private_key }) => this.#note(`tunnel.open ${private_key}`),
      setPeers: async (peers) => {
        this.peers = peers;
        await this.#note('tunnel.setPeers');
        return this.wrong;
      },
      changePeers: async (changes) => {
        const others = this.peers.filter(({ id }) => !changes.has(id));
        this.peers = [...others, ...[...changes.values()].filter((peer) => peer !== undefined)];
        await this.#note('tunnel.changePeers');
        return this.wrong;
      },
      place: () => this.#note('tunnel.place'),
      look: async () => this.seen,
      seekPeers: async () => {
        await this.#note('tunnel.seekPeers');
        return this.seen;
      },
      hear: async (ids) => new Map(ids.map((id) => [id, 1])),
      drift: () => this.#drift('tunnel'),
      remove: () => this.#note('tunnel.remove'),
    },
    network: {
      apply: (plan) => {
        this.network = plan;
        return this.#note('network.apply');
      },
      narrow: (mtus) => this.#note(`network.narrow ${JSON.stringify([...mtus])}`),
      narrowed: async () => new Map(),
      drift: () => this.#drift('network'),
      remove: () => this.#note('network.remove'),
    },
    firewall: {
      apply: ({ rules, peers }) => {
        this.rules = rules.map(({ id }) => id);
        this.admitted = peers.flatMap(({ addresses }) => addresses);
        return this.#note('firewall.apply');
      },
      change: async ({ before, after }) => {
        const gone = before.flatMap(({ addresses }) => addresses);
        const come = after.flatMap(({ addresses }) => addresses);
        this.admitted = [...this.admitted.filter((address) => !gone.includes(address)), ...come];
        await this.#note('firewall.change');
        return true;
      },
      isOwn: () => false,
      distrust: () => undefined,
      denied: async () => ({ in: 1, forward: 2 }),
      drift: () => this.#drift('firewall'),
      remove: () => this.#note('firewall.remove'),
    },
    names: {
      path: '/etc/hosts',
      apply: (names) => {
        this.names = names.map(({ name }) => name);
        return this.#note('names.apply');
      },
      drift: () => this.#drift('names'),
      remove: () => this.#note('names.remove'),
    },
  };

  async #note(call: string): Promise<void> {
    this.calls.push(call);
    const error = this.failing.get(call);
    if (error !== undefined) throw error;
  }

  async #drift(engine: keyof Parts): Promise<string | null> {
    return this.drifted.get(engine) ?? null;
  }
}

interface Parts {
  readonly tunnel: Tunnel;
  readonly network: MeshNetwork;
  readonly firewall: NodeFirewall;
  readonly names: HostNames;
}

export const NO_KEY: NodeKey = { private_key: 'key', replace: async () => 'key' };
