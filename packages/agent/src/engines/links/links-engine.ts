import { setTimeout as pause } from 'node:timers/promises';
import type { Peer, RelayAccess, Report } from '@meshwork/contract';
import type { Carrier } from '../../carrier/carrier.ts';
import type { Answer } from '../../carrier/control/messages.ts';
import { loadTables } from '../../carrier/tables/load-tables.ts';
import { InTurn } from '../../host/in-turn.ts';
import type { NetlinkProtocol } from '../../host/netlink-child.ts';
import { AGENT_PORT, WIREGUARD_MARK } from '../../host/own-numbers.ts';
import type { LinkWay, PeerPlaces, PeerPlacing, PlacedPeer } from '../../host/peer-places.ts';
import type { RunCommand } from '../../host/run-command.ts';
import { wireguardKeyOf } from '../../identity/keys.ts';
import { messageOf } from '../../message-of.ts';
import { textOf } from '../../stun/place-text.ts';
import { changedSince, type Mark, markOf } from '../../view/changes.ts';
import { withoutPrefix } from '../../view/chosen-routes.ts';
import type { HeldView } from '../../view/held-view.ts';
import type { EngineHost, EngineTraits, Heard, OpenEngine, PlanInput, Work } from '../engine.ts';
import { ActiveLinks, isHere } from './active-links.ts';
import { endpointsOf, familiesOf, isOutside, spareStunServers, stunServers } from './around.ts';
import { diagnosisOf } from './diagnosis.ts';
import { LinkTable } from './link-table.ts';
import { NetworkChanges } from './network-changes.ts';
import { NextPorts } from './next-ports.ts';
import { OwnMapping } from './own-mapping.ts';
import { pairKey } from './pair-key.ts';
import { Questions } from './questions.ts';
import { RelaySeats } from './relay-seats.ts';

export const TRAITS: EngineTraits = {
  name: 'links',
  sections: ['relay'],
  on_drift: ['relay'],
  parts: [],
};

interface LinksEngineOptions extends Pick<EngineHost, 'node' | 'key' | 'port' | 'log' | 'reapply' | 'news' | 'mapped'> {
  readonly carrier: Carrier;
  readonly places: PeerPlaces;
  readonly run: RunCommand;
}

/** Ours: what takes longer is reported, and goes on. Sections are applied one after the other. */
const SEATED_WITHIN_MS = 1500;
const POLL_MS = 50;
/** Ours: where a NAT shows us is known again before others are called. */
const MAPPING_AGE_MS = 15_000;
/** Ours: after how long links are set again that could not be. */
const SAY_AGAIN_MS = 2000;

/** Which way the packets of each link go: through relays at once, directly as soon as that is proven. */
export class LinksEngine implements OpenEngine, PeerPlacing {
  readonly traits = TRAITS;
  readonly #options: LinksEngineOptions;
  readonly #turn = new InTurn();
  readonly #seats: RelaySeats;
  readonly #table: LinkTable;
  readonly #questions: Questions;
  readonly #mapping: OwnMapping;
  readonly #active: ActiveLinks;
  readonly #network = new NetworkChanges({ changed: (isLost) => this.#networkChanged(isLost) });
  #view: HeldView | undefined;
  #access: readonly RelayAccess[] = [];
  #sockets: Answer<'open'> | undefined;
  /** From when there was a place at a relay: until then WireGuard finds its peers by itself. */
  #governs = false;
  #mark: Mark | undefined;
  #bearers: ReadonlySet<string> = new Set();
  #key = '';
  #echoes = '';
  /** All that there are, as they were last sent. */
  #relays = '';
  #problem: string | undefined;

  constructor(options: LinksEngineOptions) {
    this.#options = options;
    const { carrier, node, places, news } = options;
    const failed = (error: unknown) => this.#failed(error);
    this.#seats = new RelaySeats({
      carrier,
      roots: () => this.#view?.sections.trust?.roots ?? [],
      families: () => familiesOf(this.#view),
      heard: () => this.#table.relays,
      changed: () => this.#seated(),
      pause: (ms, signal) => pause(ms, undefined, { signal, ref: false }).catch(() => undefined),
    });
    this.#table = new LinkTable(carrier, this.#seats);
    this.#questions = new Questions(carrier);
    this.#mapping = new OwnMapping({
      questions: this.#questions,
      servers: () => stunServers(this.#view, new Set(this.#seats.all.map(({ relay }) => relay))),
      port: options.port,
      streams: () => this.#seats.all.some(({ transport }) => transport !== 'udp'),
      changed: () => this.#mapped(),
    });
    const next = new NextPorts({
      questions: this.#questions,
      places: () => spareStunServers(this.#view),
      isHard: () => this.#mapping.nat === 'address-dependent',
    });
    this.#active = new ActiveLinks({
      node,
      carrier,
      table: this.#table,
      questions: this.#questions,
      sendFirst: (send) => next.before(send),
      tunnel: () => places.tunnel,
      keyWith: (peer_public) => this.#keyWith(peer_public),
      ownEndpoints: () => this.#ownEndpoints(),
      endpointsOf: (peer) => endpointsOf(this.#view, peer),
      isOutside: (endpoint) => isOutside(this.#view, endpoint),
      hindered: () => (this.#mapping.nat === 'udp-blocked' ? 'the network of this node blocks UDP' : undefined),
      endpointOf: (peer) => this.endpointOf(peer),
      isBearer: (peer) => this.#bearers.has(peer),
      measured: (peer, mtu) => places.mtus.set(peer, mtu),
      changed: news,
      failed,
    });
    carrier.events.on('allocation_lost', ({ allocation, reason }) => this.#seats.lost(allocation, reason));
    carrier.events.on('followed', (facts) => this.#table.followed(facts));
    carrier.events.on('lost', () => this.#carrierLost());
    places.placing = this;
  }

  async versions() {
    return {};
  }

  plan(_: 'relay', { view }: PlanInput): Work | undefined {
    this.heed(view);
    const name = view.sections.relay?.name;
    if (name === undefined) return undefined;
    return async () => {
      const until_ms = performance.now() + SEATED_WITHIN_MS;
      while (this.#seats.of(name)?.seat === undefined && performance.now() < until_ms) {
        await pause(POLL_MS);
      }
      const seat = this.#seats.of(name);
      if (seat?.seat !== undefined) return {};
      const problem =
        seat === undefined
          ? 'the coordinator gives no access to it'
          : (seat.problem ?? this.#problem ?? 'it does not answer');
      throw new Error(`there is no place at the relay ${name}: ${problem}`);
    };
  }

  distrust(): void {
    this.#mark = undefined;
  }

  announced(protocol: NetlinkProtocol, datagram: Buffer | null): readonly Heard[] {
    if (protocol === 'route') this.#network.heard(datagram);
    return [];
  }

  async drift(): Promise<string | null> {
    return null;
  }

  /** Takes in what the coordinator sent that is not applied section by section. */
  heed(view: HeldView): void {
    this.#view = view;
    const uses = ['home', 'standby'] as const;
    const relays = JSON.stringify(view.sections.relays ?? []);
    if (this.#relays !== relays && this.#governs) void this.#mapping.ask();
    this.#relays = relays;
    this.#access = uses.flatMap((use) => (view.sections.relay_access ?? []).filter((access) => access.use === use));
    if (this.#access.length === 0 && this.#sockets === undefined) return;
    const { private_key } = this.#options.key;
    if (this.#key !== private_key) void this.#active.introduce(); // with a new key of our own, all pairs have another
    this.#key = private_key;
    void this.#turn.take(() => this.#open()).catch((error: unknown) => this.#failed(error));
  }

  async look(): Promise<boolean> {
    if (this.#sockets !== undefined) await this.#turn.take(() => this.#listenForEchoes());
    return false;
  }

  observe() {
    return { relay: this.#seats.all[0]?.relay ?? null };
  }

  report(): Report {
    if (this.#access.length === 0) return {};
    const { nat } = this.#mapping;
    const relayed = this.#seats.all.map(({ relay, relayed: place }) => ({ relay, endpoint: textOf(place) }));
    return { relayed, ...(nat === undefined ? {} : { nat }) };
  }

  async diagnose() {
    const [access, seats, table, active, mapping] = [
      this.#access,
      this.#seats,
      this.#table,
      this.#active,
      this.#mapping,
    ];
    return diagnosisOf({ access, seats, table, active, mapping });
  }

  prepare(view: HeldView, bearers: ReadonlySet<string>): Promise<void> {
    this.#bearers = bearers;
    if (!this.#governs) return Promise.resolve();
    const changes = changedSince(view, this.#mark);
    const mark = markOf(view);
    const ids = changes === undefined ? [...this.#table.all].map(({ peer }) => peer.id) : [...changes.keys()];
    const wanted = new Map<string, Peer | undefined>(ids.map((id) => [id, this.#governed(view.peers.get(id))]));
    if (changes === undefined) for (const peer of view.peers.all()) wanted.set(peer.id, this.#governed(peer));
    return this.#turn
      .take(async () => {
        const before = new Map([...wanted.keys()].map((id) => [id, this.#table.get(id)?.peer]));
        await this.#table.set(wanted);
        this.#mark = mark;
        this.#active.keepOnly((peer) => this.#table.get(peer) !== undefined);
        if (changes === undefined) await this.#active.adopt();
        const renewed = [...wanted].flatMap(([id, peer]) =>
          peer === undefined ? [] : [{ id, peer, was: before.get(id) }],
        );
        if (renewed.some(({ peer, was }) => was !== undefined && was.wireguard_key !== peer.wireguard_key)) {
          await this.#active.introduce();
        }
        for (const { id, peer, was } of renewed) {
          if (was?.endpoints.join() !== peer.endpoints.join()) this.#active.seek(id);
        }
      })
      .catch((error: unknown) => {
        this.#failed(error);
        this.#mark = undefined; // a place was lost in between, or the carrier: what was not said is said again
        setTimeout(() => this.#options.reapply(['peers']), SAY_AGAIN_MS).unref();
      });
  }

  endpointOf(peer: string): string | undefined {
    const link = this.#governs ? this.#table.get(peer) : undefined;
    return link && `${link.address}:${this.#sockets?.loopback_port}`;
  }

  wayOf(peer: string, { endpoint }: PlacedPeer, isAlive: boolean): LinkWay | undefined {
    const link = this.#governs ? this.#table.get(peer) : undefined;
    if (link === undefined) return undefined;
    const active = this.#active.get(peer);
    const mtu = this.#active.mtuOf(peer);
    const said = {
      ...(active === undefined ? {} : { why: active.why, tried: [...active.tried] }),
      ...(mtu === undefined ? {} : { mtu }),
    };
    const direct = isHere(endpoint) ? active?.place && textOf(active.place) : endpoint;
    if (isAlive && direct != null) return { path: 'direct', endpoint: direct, ...said };
    const path = isAlive ? 'relay' : active === undefined ? 'idle' : 'none';
    if (link.way === undefined) return { path, endpoint: null, ...said };
    const { seat, relay, to } = link.way;
    const via = { relay: seat.relay, transport: seat.transport };
    return { path, endpoint: textOf(to), ...(relay === '' ? {} : { relay }), via, ...said };
  }

  /** One that was there stays, also while it has no place: it will have one again. */
  #governed(peer: Peer | undefined): Peer | undefined {
    if (peer?.relayed === undefined) return undefined;
    return peer.relayed.length > 0 || this.#table.get(peer.id) !== undefined ? peer : undefined;
  }

  async #open(): Promise<void> {
    const { carrier, node, port: wireguard_port, run } = this.#options;
    if (this.#sockets === undefined) {
      const { adopted } = await carrier.ensure();
      const kept = adopted ? await carrier.ask('state', {}) : undefined;
      const loopback_port = kept?.sockets?.loopback_port;
      this.#sockets = await carrier.ask('open', {
        node,
        wireguard_port,
        ...(loopback_port === undefined ? {} : { loopback_port }),
      });
      await loadTables(run, { ...this.#sockets, mark: WIREGUARD_MARK });
      if (kept !== undefined) this.#seats.adopt(kept.allocations);
    }
    this.#problem = undefined;
    this.#seats.want(this.#access);
    if (this.#access.length === 0) await this.#letGo();
    else if (this.#table.isMoved && this.#seats.all.length > 0) await this.#table.renew();
    await this.#listenForEchoes();
    if (!this.#governs && this.#seats.all.length > 0) this.#seated(); // what the carrier had is gone on with
  }

  /** The node has no relay any more: WireGuard finds its peers by itself again. */
  async #letGo(): Promise<void> {
    if (!this.#governs) return;
    this.#governs = false;
    this.#mapping.stop();
    this.#active.stop();
    this.#options.places.mtus.clear();
    const endpoints = new Map<string, string>();
    for (const { peer } of this.#table.all) {
      const [first] = endpointsOf(this.#view, peer.id);
      if (first !== undefined) endpoints.set(peer.id, first);
    }
    await this.#table.set(new Map([...this.#table.all].map(({ peer }) => [peer.id, undefined])));
    await this.#options.places.tunnel?.place(endpoints);
    this.#options.reapply(['peers']);
  }

  /** Where the carrier answers questions inside the tunnel. The addresses are there once `self` is in effect. */
  async #listenForEchoes(): Promise<void> {
    const self = this.#view?.sections.self;
    if (self === undefined) return;
    const addresses = [withoutPrefix(self.address)];
    const echo = { addresses, port: AGENT_PORT, networks: [...self.networks] };
    const wanted = JSON.stringify(echo);
    if (wanted === this.#echoes) return;
    try {
      await this.#options.carrier.ask('listen_for_echoes', { echo });
      this.#echoes = wanted;
    } catch (error) {
      this.#problem = messageOf(error);
    }
  }

  /** A place at a relay was taken or lost. */
  #seated(): void {
    const { news, reapply } = this.#options;
    void this.#turn
      .take(async () => {
        if (this.#table.size > 0) await this.#table.renew();
      })
      .catch((error: unknown) => this.#failed(error));
    this.#mapping.start();
    if (!this.#governs && this.#seats.all.length > 0) {
      this.#governs = true;
      this.#mark = undefined;
      reapply(['peers']);
    }
    reapply(['relay']);
    news();
  }

  /** All that it did is to be said again, to a new one. */
  #carrierLost(): void {
    this.#sockets = undefined;
    this.#echoes = '';
    this.#mark = undefined;
    this.#table.forget();
    this.#seats.lostAll('the carrier ended');
    this.#options.log.warn('the carrier ended, and is started again');
    if (this.#view !== undefined) this.heed(this.#view);
    this.#options.reapply(['peers']);
  }

  /** Relays know this node by the address that it had. */
  #networkChanged(isLost: boolean): void {
    if (!this.#governs) return;
    this.#options.carrier.ask('check', {}).catch((error: unknown) => this.#failed(error));
    void this.#mapping.ask();
    if (isLost) this.#active.doubtAll();
    else this.#active.seekAll();
  }

  #mapped(): void {
    this.#options.mapped(this.#mapping.endpoints);
    this.#active.seekAll();
    this.#options.news();
  }

  async #ownEndpoints(): Promise<readonly string[]> {
    await this.#mapping.fresh(MAPPING_AGE_MS);
    return [...new Set([...this.#mapping.endpoints, ...this.#options.places.own])];
  }

  #keyWith(peer_public: string): string {
    const { private: secret, public: own } = wireguardKeyOf(this.#options.key.private_key);
    return pairKey(secret, own, peer_public);
  }

  #failed(error: unknown): void {
    this.#problem = messageOf(error);
    this.#options.log.warn(`links: ${messageOf(error)}`);
  }
}
