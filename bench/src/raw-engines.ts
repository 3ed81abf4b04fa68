import { MESH_INTERFACE, NODE_TABLE, type Peer, type PeerTerms } from '@meshwork/contract';
import { type CompiledNode, compileNode, tableChange } from '@meshwork/policy/firewall';
import { RAW_INTERFACE, type RawWireguard } from './raw-tunnel.ts';

/**
 * Engines without an agent: `wg` and `nft` alone apply what the agent would apply. The times exclude planning and include the
 * start of the programs, as the agent's do.
 */
export class RawEngines {
  readonly #wireguard: RawWireguard;
  #filter: CompiledNode | undefined;

  constructor(wireguard: RawWireguard) {
    this.#wireguard = wireguard;
  }

  /** From nothing. */
  async load(peers: readonly Peer[], terms: readonly PeerTerms[]): Promise<number> {
    const none = `table inet ${NODE_TABLE}\ndelete table inet ${NODE_TABLE}\n`;
    await this.#setconf('[Interface]\n');
    await this.#nft(none);
    this.#filter = compile(peers, terms);
    const { text } = this.#filter;
    const wireguard = peers.map(inConf).join('\n');
    return (await took(() => this.#setconf(wireguard))) + (await took(() => this.#nft(text)));
  }

  replaceKey(before: Peer, { wireguard_key, address, address6 }: Peer): Promise<number> {
    const gone = ['peer', before.wireguard_key, 'remove'];
    const come = ['peer', wireguard_key, 'allowed-ips', `${address},${address6}`];
    return took(() => this.#wireguard.wg(['set', RAW_INTERFACE, ...gone, ...come]));
  }

  /** By elements alone, as the agent does it. */
  async setTerms(peers: readonly Peer[], terms: readonly PeerTerms[]): Promise<number> {
    const wanted = compile(peers, terms);
    const change = this.#filter === undefined ? undefined : tableChange(this.#filter, wanted);
    if (change === undefined) throw new Error('elements alone do not make this change');
    this.#filter = wanted;
    return await took(() => this.#nft(change));
  }

  #setconf(text: string): Promise<string> {
    return this.#wireguard.wg(['setconf', RAW_INTERFACE, '/dev/stdin'], text);
  }

  #nft(text: string): Promise<string> {
    return this.#wireguard.place.exec('nft', ['-f', '-'], { input: text });
  }
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** As the agent sets it: a peer without an endpoint gets no keepalive, which would only keep the engine busy. */
function inConf({ wireguard_key, address, address6, endpoints }: Peer): string {
  const keepalive = endpoints.length === 0 ? 0 : 25;
  return `[Peer]\nPublicKey = ${wireguard_key}\nAllowedIPs = ${address}, ${address6}\nPersistentKeepalive = ${keepalive}\n`;
}

function compile(peers: readonly Peer[], terms: readonly PeerTerms[]): CompiledNode {
  const bare = (address: string) => address.slice(0, address.lastIndexOf('/'));
  const entries = peers.map(({ address, address6 }, index) => {
    const { allow = [], forward = [] } = terms[index] ?? {};
    return { addresses: [bare(address), bare(address6)], terms: { allow, forward } };
  });
  return compileNode({ table: NODE_TABLE, meshInterface: MESH_INTERFACE, peers: entries, rules: [] });
}
