import type { AcceptRoutes } from '@meshwork/policy/routes';
import type { AgentLog } from '../../host/log.ts';
import type { PathMtus } from '../../host/path-mtus.ts';
import { messageOf } from '../../message-of.ts';
import { chosenRoutes } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';

interface NarrowPeersOptions {
  readonly mtus: PathMtus;
  /** By network, as an agent before this one left it: its paths are most likely still there. */
  readonly left: ReadonlyMap<string, number>;
  readonly accept_routes: AcceptRoutes;
  readonly apply: (mtus: ReadonlyMap<string, number>) => Promise<void>;
  readonly log: Pick<AgentLog, 'warn'> | undefined;
}

/** The MTU of networks, from that of the paths to the peers that they are reached through. */
export class NarrowPeers {
  readonly #options: NarrowPeersOptions;
  #left: ReadonlyMap<string, number>;
  #view: HeldView | undefined;
  #applied = '[]';
  #soon: NodeJS.Immediate | undefined;

  constructor(options: NarrowPeersOptions) {
    this.#options = options;
    this.#left = options.left;
    // Many links may change at once.
    options.mtus.changed = () => {
      this.#soon ??= setImmediate(() => void this.#renew());
    };
  }

  /** Peers or routes may be others now. */
  heed(view: HeldView): Promise<void> {
    this.#view = view;
    this.#adopt(view);
    return this.#renew();
  }

  async #renew(): Promise<void> {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    if (this.#view === undefined) return;
    const narrow = this.#networks(this.#view);
    const text = JSON.stringify([...narrow]);
    if (text === this.#applied) return;
    this.#applied = text;
    try {
      await this.#options.apply(narrow);
    } catch (error) {
      this.#options.log?.warn(`the MTU of routes could not be set: ${messageOf(error)}`); // the next comparison mends it
    }
  }

  #adopt(view: HeldView): void {
    const left = this.#left;
    if (left.size === 0) return;
    this.#left = new Map();
    for (const { id, address } of view.peers.all()) {
      const mtu = left.get(address);
      if (mtu !== undefined) this.#options.mtus.set(id, mtu);
    }
  }

  #networks(view: HeldView): ReadonlyMap<string, number> {
    const { mtus, accept_routes } = this.#options;
    const networks = new Map<string, number>();
    for (const [id, mtu] of [...mtus.all]) {
      const peer = view.peers.get(id);
      if (peer === undefined) mtus.forget(id);
      else for (const address of [peer.address, peer.address6]) networks.set(address, mtu);
    }
    if (networks.size === 0) return networks;
    for (const [network, { provider }] of chosenRoutes(view, accept_routes)) {
      const mtu = mtus.all.get(provider);
      if (mtu !== undefined) networks.set(network, mtu);
    }
    return networks;
  }
}
