import type { Applied, AppliedSection, Peer } from '@meshwork/contract';
import { digestOf, digestText, withoutItem } from '@meshwork/contract/digest';
import { WIREGUARD_MARK } from '../../host/own-numbers.ts';
import { changedSince, type Mark, markOf } from '../../view/changes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { EngineHost, EngineTraits, OpenEngine, PlanInput, Work } from '../engine.ts';
import { LinkBook } from './link-book.ts';
import type { SeenTunnel, Tunnel, TunnelPeer } from './tunnel.ts';
import { changedTunnelPeers, type NetworksBehind, networksBehind, tunnelPeers } from './tunnel-peers.ts';

export const TRAITS: EngineTraits = {
  name: 'tunnel',
  sections: ['self', 'peers', 'acl'],
  on_drift: ['peers', 'self', 'acl'],
  mesh_interface: 'makes',
  parts: [],
};

/** Ours: links that a diagnosis names at most, so that the whole stays far below what a heartbeat may carry. */
const MAX_LINKS = 100;

interface TunnelEngineOptions extends Pick<EngineHost, 'key' | 'port' | 'accept_routes' | 'now' | 'places'> {
  readonly tunnel: Tunnel;
  readonly implementation: 'kernel' | 'userspace';
  readonly version: () => Promise<string>;
}

/** What WireGuard was last set to. */
interface Setting {
  readonly mark: Mark;
  readonly behind: NetworksBehind;
}

export class TunnelEngine implements OpenEngine {
  readonly traits = TRAITS;
  readonly #options: TunnelEngineOptions;
  readonly #links: LinkBook;
  /** Undefined: not known, or some peers are not as they should be. */
  #set: Setting | undefined;
  /** Rises when what is set may not be so any more, which can be while it is being set. */
  #doubts = 0;
  #seen: SeenTunnel | undefined;

  constructor(options: TunnelEngineOptions) {
    this.#options = options;
    this.#links = new LinkBook(options.now);
    options.places.tunnel = options.tunnel;
  }

  async versions() {
    return { wireguard: await this.#options.version() };
  }

  plan(section: AppliedSection, { view }: PlanInput): Work | undefined {
    if (section === 'self') return () => this.resume().then(() => ({}));
    const set = this.#setting(view);
    if (set === undefined || section === 'peers') return set;
    return async () => {
      const { error } = await set(); // what a peer may do that is not there is not in effect
      if (error !== undefined) throw new Error(error);
      return {};
    };
  }

  distrust(): void {
    this.#doubts += 1;
    this.#set = undefined;
  }

  drift(): Promise<string | null> {
    return this.#options.tunnel.drift();
  }

  /** Sees how the links do, and moves those that do not answer. */
  async look(view: HeldView): Promise<boolean> {
    this.#seen = await this.#options.tunnel.seekPeers();
    const keys = Array.from(view.peers.all(), ({ id, wireguard_key }) => [id, wireguard_key] as const);
    return this.#links.see(keys, this.#seen, this.#options.places.placing);
  }

  async hear(peers: readonly string[], within_ms: number) {
    const heard = await this.#options.tunnel.hear(peers, within_ms);
    return peers.map((peer) => {
      const took_ms = heard.get(peer);
      const known = this.#links.of(peer);
      const link = known === undefined ? {} : { link: known };
      if (took_ms === undefined) return { peer, heard: false, ...link };
      return { peer, heard: true, took_ms: Math.round(took_ms), ...link };
    });
  }

  observe(extent: 'changes' | 'everything') {
    const links = this.#links.take(extent === 'everything');
    return links.length === 0 ? {} : { links };
  }

  telemetry() {
    return this.#traffic();
  }

  health() {
    const { implementation } = this.#options;
    const check =
      this.#seen === undefined
        ? { ok: false, detail: `WireGuard (${implementation}) has not been seen yet` }
        : { ok: true, detail: `WireGuard (${implementation}) listens on UDP port ${this.#seen.port}` };
    return { check, links: this.#links.all, ...this.#traffic() };
  }

  async diagnose() {
    const links = this.#links.all;
    const troubled = links.filter(({ path }) => path === 'none');
    const shown = [...troubled, ...links].slice(0, MAX_LINKS);
    return { links: { all: links.length, without_handshake: troubled.length, shown } };
  }

  /** The node switches first; its peers begin a handshake with the new key as soon as they receive it. */
  rekey(operation: string): Promise<string> {
    const { key } = this.#options;
    this.#set = undefined; // no peer may have the new key
    return key.replace(operation, (private_key) => this.#open(private_key));
  }

  /** A crash during a change of keys leaves one that is saved and not in use. It is put to use before anything else. */
  resume(): Promise<void> {
    return this.#open(this.#options.key.private_key);
  }

  #open(private_key: string): Promise<void> {
    const { tunnel, port } = this.#options;
    return tunnel.open({ private_key, port, mark: WIREGUARD_MARK });
  }

  #setting(view: HeldView): Work | undefined {
    const { tunnel, accept_routes } = this.#options;
    const wanted = { mark: markOf(view), behind: networksBehind(view, accept_routes) };
    const known = this.#set;
    const changes = changedSince(view, known?.mark);
    const prepared = this.#options.places.placing?.prepare(view, new Set(wanted.behind.keys()));
    const placed = async <T>(set: () => Promise<T>) => {
      await prepared;
      return await set();
    };
    if (known === undefined || changes === undefined) {
      const peers = tunnelPeers(view, accept_routes);
      return this.#reporting(
        view,
        wanted,
        peers.map(({ id }) => id),
        () => placed(() => tunnel.setPeers(peers.map((peer) => this.#placed(peer)))),
      );
    }
    const changed = changedTunnelPeers(view, changes, { before: known.behind, now: wanted.behind });
    if (changed.size === 0) {
      this.#set = wanted;
      return undefined;
    }
    return this.#reporting(view, wanted, changed.keys(), async () => {
      await prepared;
      // What was found to be wrong while this waited for its turn is put right with it.
      const some = new Map(Array.from(changed, ([id, peer]) => [id, peer && this.#placed(peer)]));
      const wrong = this.#set === known ? await tunnel.changePeers(some) : undefined;
      return wrong ?? (await tunnel.setPeers(tunnelPeers(view, accept_routes).map((peer) => this.#placed(peer))));
    });
  }

  /** `ids`: the peers that may turn out to be wrong, whose records are kept as they are now. */
  #reporting(
    view: HeldView,
    setting: Setting,
    ids: Iterable<string>,
    work: () => Promise<ReadonlyMap<string, string>>,
  ): Work {
    const { digest } = view.peers;
    const records = new Map(Array.from(ids, (id) => [id, view.peers.get(id)]));
    return async () => {
      const doubts = this.#doubts;
      const wrong = await work();
      this.#set = wrong.size === 0 && doubts === this.#doubts ? setting : undefined;
      return shortfall(wrong, digest, (id) => records.get(id) ?? view.peers.get(id));
    };
  }

  /** One that links have a place for is sent there, until it is found at a better one. */
  #placed(peer: TunnelPeer): TunnelPeer {
    const endpoint = this.#options.places.placing?.endpointOf(peer.id);
    return endpoint === undefined ? peer : { ...peer, endpoints: [endpoint], carried: true };
  }

  #traffic() {
    let [rx_bytes, tx_bytes] = [0, 0];
    for (const peer of this.#seen?.peers.values() ?? []) {
      rx_bytes += peer.rx_bytes;
      tx_bytes += peer.tx_bytes;
    }
    return { rx_bytes, tx_bytes };
  }
}

/** What is in effect when some peers are not as they should be: the others. */
function shortfall(
  wrong: ReadonlyMap<string, string>,
  digest: number,
  record: (id: string) => Peer | undefined,
): Partial<Applied> {
  const [first] = wrong;
  if (first === undefined) return {};
  const missing = [...wrong.keys()].map(record).filter((peer) => peer !== undefined);
  const rest = missing.reduce((sum, peer) => withoutItem(sum, digestOf(peer)), digest);
  const [id, problem] = first;
  const others = wrong.size === 1 ? '' : `, and ${wrong.size - 1} more`;
  return { digest: digestText(rest), error: `${record(id)?.name ?? id}: ${problem}${others}` };
}
