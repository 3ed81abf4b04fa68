import type { Engines } from '../src/data-plane/engines.ts';
import type { NetworkPlan } from '../src/engines/network/mesh-network.ts';
import type { SeenTunnel, TunnelPeer } from '../src/engines/wireguard/tunnel.ts';

/** Engines that write down what they are asked for. Each call can be made to fail, and each can be told to have drifted. */
export class RecordedEngines {
  readonly calls: string[] = [];
  readonly failing = new Map<string, Error>();
  readonly drifted = new Map<keyof Engines, string>();
  peers: readonly TunnelPeer[] = [];
  /** What each was last asked for. */
  rules: readonly string[] = [];
  admitted: readonly string[] = [];
  network: NetworkPlan | undefined;
  names: readonly string[] = [];
  /** By id of the peer: what setting it comes to. */
  wrong: ReadonlyMap<string, string> = new Map();
  seen: SeenTunnel = { public_key: null, port: 51_820, mark: 0, peers: new Map() };

  readonly engines: Engines = {
    tunnel: {
      open: ({ private_key }) => this.#note(`tunnel.open ${private_key}`),
      setPeers: async (peers) => {
        this.peers = peers;
        await this.#note('tunnel.setPeers');
        return this.wrong;
      },
      look: async () => this.seen,
      seekPeers: async () => {
        await this.#note('tunnel.seekPeers');
        return this.seen;
      },
      drift: () => this.#drift('tunnel'),
      remove: () => this.#note('tunnel.remove'),
    },
    network: {
      apply: (plan) => {
        this.network = plan;
        return this.#note('network.apply');
      },
      drift: () => this.#drift('network'),
      remove: () => this.#note('network.remove'),
    },
    firewall: {
      apply: ({ rules, peers }) => {
        this.rules = rules.map(({ id }) => id);
        this.admitted = peers.flatMap(({ addresses }) => addresses);
        return this.#note('firewall.apply');
      },
      denied: async () => ({ in: 1, forward: 2 }),
      drift: () => this.#drift('firewall'),
      remove: () => this.#note('firewall.remove'),
    },
    names: {
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

  async #drift(engine: keyof Engines): Promise<string | null> {
    return this.drifted.get(engine) ?? null;
  }
}
