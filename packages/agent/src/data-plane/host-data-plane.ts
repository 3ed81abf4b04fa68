import type { Applied, AppliedSection, LinkReport, Observed, Repair } from '@meshwork/contract';
import { digestOf, digestText, withoutItem } from '@meshwork/contract/digest';
import { utc } from '@meshwork/contract/vocabulary';
import { type AcceptRoutes, DEFAULT_ACCEPT_ROUTES } from '@meshwork/policy/routes';
import type { Kept } from '../view/held-records.ts';
import type { View } from '../view/held-view.ts';
import { InTurn } from '../host/in-turn.ts';
import type { NetworkPlan } from '../engines/network/mesh-network.ts';
import { WIREGUARD_MARK } from '../host/own-numbers.ts';
import {
  type Guarded,
  guardedNames,
  guardedNetwork,
  guardedRules,
  NO_GUARD,
  type PartGuard,
} from '../rollback/guarded-plan.ts';
import type { SeenTunnel } from '../engines/wireguard/tunnel.ts';
import type { DataPlane } from './data-plane.ts';
import { diagnosis } from './diagnosis.ts';
import { ENGINE_NAMES, type EngineName, type Engines, SECTIONS_OF } from './engines.ts';
import { LinkBook } from '../engines/wireguard/link-book.ts';
import { firewallInput, hostNames, networkPlan, tunnelPeers, uninvited } from './node-plan.ts';
import { telemetryOf } from './telemetry.ts';

/** The node's WireGuard key, as it is kept. */
export interface TunnelKeys {
  /** Base64. A secret. */
  readonly private_key: string;
  /**
   * Makes a new one, has it used, and keeps it; when it cannot be used, the old one stays. The same operation gives the
   * same key, however often it is asked for. Answers with the public half.
   */
  replace(operation: string, use: (private_key: string) => Promise<void>): Promise<string>;
}

export interface HostDataPlaneOptions {
  readonly engines: Engines;
  readonly keys: TunnelKeys;
  readonly port: number;
  /** Networks that this host offers to forward to. No other is ever forwarded to. */
  readonly offered: readonly string[];
  /** Which routes this host takes. Absent: subnets, and no default route. */
  readonly accept_routes?: AcceptRoutes | undefined;
  /** Addresses of the coordinators, as they are known now: never reached through the mesh. */
  readonly keptOut: () => readonly string[];
  /** The coordinators, as the agent calls them. Absent: by address only. */
  readonly coordinators?: readonly string[] | undefined;
  /** Holds back what would cut the node off. Absent: nothing is held back. */
  readonly guard?: PartGuard | undefined;
  /** What was last measured to relays. */
  readonly relays: () => readonly { readonly name: string; readonly rtt_ms: number }[];
  readonly now: () => number;
}

/** What became of an engine, for whoever counts: see `health/`. */
export interface PlaneObserver {
  /** `error`: it could not be made what it should be. */
  applied?(engine: EngineName, took_ms: number, error: unknown): void;
  repaired?(section: AppliedSection, found: string): void;
}

/** The contract's limit on the words about a repair. */
const MAX_FOUND_LENGTH = 200;
/** Ours: how the node does is told this often. */
const TELEMETRY_EVERY_MS = 60_000;

/**
 * Drives what is on the host. A section concerns several engines, and an engine several sections, so each is planned from
 * the whole view and asked for the smallest difference.
 */
export class HostDataPlane implements DataPlane<Kept> {
  readonly #options: HostDataPlaneOptions;
  readonly #observer: PlaneObserver;
  readonly #turns = new InTurn();
  readonly #guard: PartGuard;
  readonly #links: LinkBook;
  /** Engines that were made what they should be. What never was right is not somebody else's doing. */
  readonly #sound = new Set<EngineName>();
  /** Kept to be looked at, and for the keys of peers; never to be applied later. */
  #view: View<Kept> | undefined;
  #tunnel: SeenTunnel | undefined;
  #denied: Observed['denied'];
  #repairs: Repair[] = [];
  /** The plan of the network that was last made true. */
  #routed: string | undefined;
  #telemetryAt = Number.NEGATIVE_INFINITY;
  #listener: (drifted: readonly AppliedSection[]) => void = () => undefined;

  constructor(options: HostDataPlaneOptions, observer: PlaneObserver = {}) {
    this.#options = options;
    this.#guard = options.guard ?? NO_GUARD;
    this.#observer = observer;
    this.#links = new LinkBook(options.now);
  }

  get links(): ReadonlyMap<string, LinkReport> {
    return this.#links.all;
  }

  get denied(): Observed['denied'] {
    return this.#denied;
  }

  get tunnel(): SeenTunnel | undefined {
    return this.#tunnel;
  }

  async apply(section: AppliedSection, view: View<Kept>): Promise<Applied> {
    this.#view = view;
    const applied = { revision: view.revisionOf(section), digest: view.digestOf(section) };
    const work = this.#planFor(section, view); // before the first `await`: the view goes on living
    const shortfall = this.#guard.shortfall(section);
    return await this.#turns.take(async () => ({ ...applied, ...shortfall, ...(await work()) }));
  }

  /** What has to be done for a section. The packet filter always comes first: it takes away before anything opens. */
  #planFor(section: AppliedSection, view: View<Kept>): () => Promise<Partial<Applied>> {
    const { tunnel } = this.#options.engines;
    switch (section) {
      case 'self': {
        const filter = this.#filtering(view);
        const route = this.#routing(view);
        const name = this.#naming(view);
        return async () => {
          await filter();
          await this.#do('tunnel', () => tunnel.open(this.#settings(this.#options.keys.private_key)));
          await route();
          await name();
          return {};
        };
      }
      case 'peers': {
        const filter = this.#filtering(view);
        const peers = tunnelPeers(view, this.#accept);
        const name = this.#naming(view);
        const wrongly = missingPeers(view);
        return async () => {
          await filter();
          const wrong = await this.#do('tunnel', () => tunnel.setPeers(peers));
          await name();
          return wrongly(wrong);
        };
      }
      case 'acl': {
        const filter = this.#filtering(view);
        const peers = tunnelPeers(view, this.#accept);
        const route = this.#routing(view);
        const wrongly = missingPeers(view);
        return async () => {
          await filter();
          const { error } = wrongly(await this.#do('tunnel', () => tunnel.setPeers(peers)));
          if (error !== undefined) throw new Error(error);
          await route();
          return {};
        };
      }
      case 'firewall': {
        const filter = this.#filtering(view);
        return async () => {
          await filter();
          return {};
        };
      }
      case 'relay': {
        const { relay } = view.sections;
        return async () => {
          if (relay) throw new Error(`traffic does not go through ${relay.name}: this agent sends it directly only`);
          return {};
        };
      }
      case 'ingress': {
        const { ingress = [] } = view.sections;
        return async () => {
          if (ingress.length > 0) throw new Error('this agent runs no gateway: it serves no ingress');
          return {};
        };
      }
    }
  }

  get #accept(): AcceptRoutes {
    return this.#options.accept_routes ?? DEFAULT_ACCEPT_ROUTES;
  }

  #filtering(view: View<Kept>): () => Promise<void> {
    const { engines, offered } = this.#options;
    const [stranger] = uninvited(view, offered);
    if (stranger !== undefined) throw new Error(`it is told to forward to ${stranger}, which this host does not offer`);
    const { plan: rules, parts } = guardedRules(view, this.#guard);
    const input = firewallInput(view, rules);
    return () => this.#do('firewall', () => this.#guard.put(parts, () => engines.firewall.apply(input)));
  }

  #naming(view: View<Kept>): () => Promise<void> {
    const { engines, coordinators: hosts = [] } = this.#options;
    const { plan: known, parts } = guardedNames(view, { all: hostNames(view), hosts }, this.#guard);
    return () => this.#do('names', () => this.#guard.put(parts, () => engines.names.apply(known)));
  }

  #routing(view: View<Kept>): () => Promise<void> {
    const plan = networkPlan(view, { kept_out: this.#options.keptOut(), accept: this.#accept });
    const guarded = plan && guardedNetwork(view, plan, this.#guard);
    return () => this.#route(guarded);
  }

  /** Most changes of what is allowed leave the routes as they are: those are not even looked at. */
  async #route(guarded: Guarded<NetworkPlan> | undefined): Promise<void> {
    const { network } = this.#options.engines;
    if (guarded === undefined) return;
    const { plan, parts } = guarded;
    const wanted = JSON.stringify(plan);
    if (wanted === this.#routed && this.#sound.has('network')) return;
    const make = async () => {
      await network.apply(plan);
      const left = await network.drift();
      if (left !== null) throw new Error(`the network of this host is not what it should be: ${left}`);
    };
    await this.#do('network', () => this.#guard.put(parts, make));
    this.#routed = wanted;
  }

  observe(extent: 'changes' | 'everything'): Observed {
    const all = extent === 'everything';
    const links = this.#links.tell(all);
    const repairs = this.#repairs.splice(0);
    const now = this.#options.now();
    const telling = all || Math.abs(now - this.#telemetryAt) >= TELEMETRY_EVERY_MS; // also when the clock was set back
    if (telling) this.#telemetryAt = now;
    return {
      relay: null, // until there is an engine that sends traffic through one
      relays: [...this.#options.relays()],
      ingress: [],
      ...(links.length === 0 ? {} : { links }),
      ...(this.#denied === undefined ? {} : { denied: this.#denied }),
      ...(repairs.length === 0 ? {} : { repairs }),
      ...(telling ? { telemetry: telemetryOf(this.#tunnel) } : {}),
    };
  }

  /** The node switches first; its peers begin a handshake with the new key as soon as they hear of it. */
  rekey(operation: string): Promise<string> {
    const { engines, keys } = this.#options;
    const replaced = this.#turns.take(() => keys.replace(operation, (key) => engines.tunnel.open(this.#settings(key))));
    return replaced.catch((error: unknown) => {
      this.reapply(['self']); // it may have come into use all the same, and nobody else knows it
      throw error;
    });
  }

  /** A crash in the middle of that leaves a key that is kept and not in use. It is, before anybody hears of it. */
  useKey(): Promise<void> {
    const { engines, keys } = this.#options;
    return this.#turns.take(() => engines.tunnel.open(this.#settings(keys.private_key)));
  }

  diagnose(): Promise<string> {
    return this.#turns.take(() =>
      diagnosis({ ...this.#options, accept: this.#accept, view: this.#view, links: this.#links.all }),
    );
  }

  onChange(listener: (drifted: readonly AppliedSection[]) => void): void {
    this.#listener = listener;
  }

  /** Something that these sections depend on is not any more what it was. */
  reapply(sections: readonly AppliedSection[]): void {
    this.#sound.clear();
    this.#listener(sections);
  }

  /** Sees how the links do, and moves those that do not answer. Called now and then. */
  look(): Promise<void> {
    const { tunnel, firewall } = this.#options.engines;
    return this.#turns.take(async () => {
      if (this.#view === undefined || !this.#sound.has('tunnel')) return;
      this.#tunnel = await tunnel.seekPeers();
      this.#denied = await firewall.denied();
      const keys = Array.from(this.#view.peers.all(), ({ id, wireguard_key }) => [id, wireguard_key] as const);
      if (this.#links.see(keys, this.#tunnel)) this.#listener([]);
    });
  }

  /** Finds what somebody else has changed, and has it put right. Called now and then. */
  async check(): Promise<void> {
    const { engines } = this.#options;
    for (const name of ENGINE_NAMES) {
      const found = await this.#turns.take(async () => (this.#sound.has(name) ? engines[name].drift() : null));
      if (found !== null) this.#repair(name, found);
    }
  }

  /** WireGuard has ended without being asked to, and with it went the interface, its addresses and its routes. */
  lostTunnel(): void {
    this.#repair('tunnel', 'WireGuard had ended');
  }

  #repair(engine: EngineName, found: string): void {
    const sections = SECTIONS_OF[engine];
    const [section] = sections;
    this.#sound.delete(engine);
    if (engine === 'tunnel') this.#sound.delete('network'); // addresses and routes go with the interface
    this.#repairs.push({ section, at: utc(this.#options.now()), found: found.slice(0, MAX_FOUND_LENGTH) });
    this.#observer.repaired?.(section, found);
    this.#listener(sections);
  }

  #settings(private_key: string) {
    return { private_key, port: this.#options.port, mark: WIREGUARD_MARK };
  }

  async #do<T>(engine: EngineName, work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      const done = await work();
      this.#sound.add(engine);
      this.#observer.applied?.(engine, performance.now() - from, undefined);
      return done;
    } catch (error) {
      this.#sound.delete(engine);
      this.#observer.applied?.(engine, performance.now() - from, error);
      throw error;
    }
  }
}

/** What is in effect when some peers are not as they should be: the others. */
function missingPeers(view: View<Kept>): (wrong: ReadonlyMap<string, string>) => Partial<Applied> {
  const { digest } = view.peers;
  const peers = new Map(Array.from(view.peers.all(), (peer) => [peer.id, peer]));
  return (wrong) => {
    const [first] = wrong;
    if (first === undefined) return {};
    const rest = [...wrong.keys()].reduce((sum, id) => withoutItem(sum, digestOf(peers.get(id))), digest);
    const [id, problem] = first;
    const others = wrong.size === 1 ? '' : `, and ${wrong.size - 1} more`;
    return { digest: digestText(rest), error: `${peers.get(id)?.name ?? id}: ${problem}${others}` };
  };
}
