import type { Change, Driver, EnginePeer, Reading } from '../src/engines/wireguard/driver.ts';
import { wireguardKeyOf } from '../src/identity/keys.ts';

/** WireGuard as a table in memory: what an engine has to do, without packets. It can be made to fail or to lose what it is given. */
export class MemoryDriver implements Driver {
  readonly peers = new Map<string, EnginePeer>();
  readonly calls: string[] = [];
  /** Does not do these, and does not say so. */
  losing: 'upsert' | 'remove' | undefined;
  /** Fails with the next change when half of it is done, as an engine does whose changes are not atomic. */
  failsHalfWay = false;
  #settings: Pick<Reading, 'public_key' | 'port' | 'mark'> = { public_key: null, port: 0, mark: 0 };

  #afterRead: (() => void) | undefined;

  /** What happens between the next reading and whatever is done about it. */
  afterRead(happens: () => void): void {
    this.#afterRead = happens;
  }

  async ensure(): Promise<void> {}

  async read(only?: ReadonlySet<string>): Promise<Reading> {
    const peers = new Map([...this.peers].filter(([key]) => only === undefined || only.has(key)));
    this.calls.push(`read ${only?.size ?? 'all'}`);
    const happens = this.#afterRead;
    this.#afterRead = undefined;
    happens?.();
    return { ...this.#settings, peers };
  }

  async apply({ private_key, port, mark, upsert, remove }: Change): Promise<void> {
    this.calls.push(`apply ${upsert.length} ${remove.length}`);
    const { public_key, port: old_port, mark: old_mark } = this.#settings;
    this.#settings = {
      public_key: private_key === undefined ? public_key : wireguardKeyOf(private_key).public,
      port: port ?? old_port,
      mark: mark ?? old_mark,
    };
    const steps = [
      ...upsert.map((peer) => () => this.losing === 'upsert' || this.#put(peer)),
      ...remove.map((key) => () => this.losing === 'remove' || this.peers.delete(key)),
    ];
    const half = this.failsHalfWay ? Math.floor(steps.length / 2) : steps.length;
    for (const step of steps.slice(0, half)) step();
    if (!this.failsHalfWay) return;
    this.failsHalfWay = false;
    throw new Error('WireGuard broke off half way');
  }

  /** Packets that were sent to peers by `nudge`. */
  readonly nudged: string[] = [];
  async nudge(keys: readonly string[]): Promise<void> {
    this.nudged.push(...keys);
  }

  async remove(): Promise<void> {
    this.peers.clear();
  }

  /** A network that another peer has moves here. */
  #put({ key, networks, endpoint, keepalive_s }: Change['upsert'][number]): void {
    for (const [other, peer] of this.peers) {
      const left = peer.networks.filter((network) => !networks.includes(network));
      if (other !== key && left.length < peer.networks.length) this.peers.set(other, { ...peer, networks: left });
    }
    const before = this.peers.get(key);
    const fresh = { handshake_ms: null, rx_bytes: 0, tx_bytes: 0, preshared: false, endpoint: null };
    const place = endpoint ?? before?.endpoint ?? null;
    this.peers.set(key, { ...fresh, ...before, key, networks, keepalive_s, endpoint: place });
  }
}
