import { isInSession } from '../../host/in-session.ts';
import { InTurn } from '../../host/in-turn.ts';
import { wireguardKeyOf } from '../../identity/keys.ts';
import { DepartedPeers } from './departed-peers.ts';
import {
  KEEPALIVE_S,
  type PeersDifference,
  peerFault,
  peersDifference,
  rests,
  successors,
  upsertOf,
} from './difference.ts';
import { driftBetween, settingsDifference, settingsDrift, type Wanted } from './drift.ts';
import { type Change, type Driver, type EnginePeer, PortTakenError, type Reading } from './driver.ts';
import { FreshKeys } from './fresh-keys.ts';
import { Hearing } from './hearing.ts';
import { NewLinks } from './new-links.ts';
import { placeAfter, Search } from './search.ts';
import type { SeenTunnel, Tunnel, TunnelPeer, TunnelSettings } from './tunnel.ts';
import { isKey, isMark, isPort } from './values.ts';
import { type WantedPeer, WantedPeers } from './wanted-peers.ts';

interface WireguardTunnelOptions {
  readonly driver: Driver;
  readonly now?: (() => number) | undefined;
}

/** A tunnel on one of WireGuard's engines. What is asked of it happens in turn, and always starts from what is there. */
export class WireguardTunnel implements Tunnel {
  readonly #driver: Driver;
  readonly #now: () => number;
  readonly #turn = new InTurn();
  readonly #search = new Search();
  readonly #fresh = new FreshKeys();
  readonly #newLinks = new NewLinks();
  readonly #departed = new DepartedPeers();
  readonly #hearing: Hearing;
  #wanted: Wanted | undefined;
  /** What `#wanted` has the peers of. */
  #asked: WantedPeers | undefined;
  /** All peers, as they were last seen. */
  #seen: ReadonlyMap<string, EnginePeer> | undefined;

  constructor({ driver, now = Date.now }: WireguardTunnelOptions) {
    this.#driver = driver;
    this.#now = now;
    this.#hearing = new Hearing({
      read: (keys) => this.#turn.take(async () => (await this.#readSome(keys)).peers),
      answer: (keys) => this.#turn.take(() => this.#nudge(keys)),
    });
  }

  open(settings: TunnelSettings): Promise<void> {
    return this.#turn.take(async () => {
      checkSettings(settings);
      const public_key = wireguardKeyOf(settings.private_key).public;
      const wanted: Wanted = { settings, public_key, peers: this.#wanted?.peers };
      this.#wanted = wanted;
      await this.#driver.ensure();
      const before = await this.#read();
      const change = settingsDifference(wanted, before);
      if (isNothing(change)) return;
      if (change.private_key !== undefined && before.public_key !== null) this.#fresh.ownChanged(this.#now());
      await this.#driver.apply(change);
      checkSettled(wanted, await this.#read());
    });
  }

  setPeers(peers: readonly TunnelPeer[]): Promise<ReadonlyMap<string, string>> {
    return this.#turn.take(async () => {
      const { settings, public_key } = this.#opened();
      this.#asked = new WantedPeers(peers, public_key);
      const { peers: asked, refused } = this.#asked;
      const wanted = { settings, public_key, peers: asked };
      this.#wanted = wanted;
      this.#search.keepOnly(asked);
      await this.#driver.ensure();
      const reading = await this.#read();
      this.#departed.see(reading, this.#now());
      const { peers: found } = reading;
      const least = peersDifference(asked, { peers: found, departed: this.#departed.all() }, this.#now());
      const difference = await this.#leavingPlaces(least, reading);
      const change = { ...settingsDifference(wanted, reading), ...difference };
      if (isNothing(change)) return refused;
      const placed = change.upsert.filter(({ endpoint }) => endpoint !== undefined);
      this.#search.moved(placed, this.#now());
      await this.#stopKnocking(change, reading);
      await this.#driver.apply(change);
      this.#expect(difference, reading);
      this.#fresh.keepOnly(asked);
      this.#newLinks.keepOnly(asked);
      const after = await this.#read();
      this.#departed.see(after, this.#now());
      checkSettled(wanted, after);
      return new Map([...refused, ...faults(wanted, after)]);
    });
  }

  changePeers(changes: ReadonlyMap<string, TunnelPeer | undefined>): Promise<ReadonlyMap<string, string> | undefined> {
    return this.#turn.take(async () => {
      const wanted = this.#opened();
      const [asked, all] = [this.#asked, this.#seen];
      if (asked === undefined || all === undefined) return undefined;
      const before = keysOf(asked, changes);
      if (!asked.change(changes)) return undefined;
      const keys = new Set([...before, ...keysOf(asked, changes)]);
      const some = picked(asked.peers, keys);
      const { difference, reading } = await this.#differenceOf(some, { peers: picked(all, keys) });
      if (difference.upsert.length + difference.remove.length === 0) return new Map();
      this.#search.moved(
        difference.upsert.filter(({ endpoint }) => endpoint !== undefined),
        this.#now(),
      );
      await this.#stopKnocking(difference, reading);
      await this.#driver.apply(difference);
      this.#expect(difference, reading);
      this.#search.keepOnly(asked.peers);
      this.#fresh.keepOnly(asked.peers);
      this.#newLinks.keepOnly(asked.peers);
      return await this.#settled({ ...wanted, peers: some }, keys);
    });
  }

  place(endpoints: ReadonlyMap<string, string>): Promise<void> {
    return this.#turn.take(async () => {
      const upsert = [...endpoints].flatMap(([id, endpoint]) => {
        const peer = this.#asked?.peers.get(this.#asked.keyOf(id) ?? '');
        return peer === undefined ? [] : [upsertOf(peer, endpoint)];
      });
      if (upsert.length > 0) await this.#driver.apply({ upsert, remove: [] });
    });
  }

  look(): Promise<SeenTunnel> {
    return this.#turn.take(() => this.#read());
  }

  drift(): Promise<string | null> {
    return this.#turn.take(async () => {
      const wanted = this.#opened();
      const reading = await this.#driver.read();
      if (reading !== null) this.#seen = reading.peers;
      return reading === null ? 'the interface is gone' : driftBetween(wanted, reading);
    });
  }

  seekPeers(): Promise<SeenTunnel> {
    return this.#turn.take(async () => {
      const { peers = new Map() } = this.#opened();
      const reading = await this.#read();
      this.#departed.see(reading, this.#now());
      await this.#moveOn(peers, reading);
      const { nudge, deaf } = this.#newLinks.due(reading, this.#now());
      await this.#nudge(placed(nudge, reading));
      await this.#beginAnew(peers, reading, deaf);
      return reading;
    });
  }

  async hear(ids: readonly string[], within_ms: number): Promise<ReadonlyMap<string, number>> {
    const keys = new Map<string, string>();
    const before = await this.#turn.take(async () => {
      for (const id of ids) {
        const key = this.#asked?.keyOf(id);
        if (key !== undefined) keys.set(key, id);
      }
      if (keys.size === 0) return [];
      const reading = await this.#readSome(new Set(keys.keys()));
      await this.#nudge(placed(reading.peers.keys(), reading));
      return [...picked(reading.peers, new Set(keys.keys())).values()];
    });
    const heard = await this.#hearing.listen(before, within_ms);
    return new Map(Array.from(heard, ([key, took_ms]) => [keys.get(key) ?? '', took_ms]));
  }

  remove(): Promise<void> {
    return this.#turn.take(async () => {
      this.#wanted = undefined;
      this.#asked = undefined;
      await this.#driver.remove();
    });
  }

  /** They send something now. Those that rest do so again afterwards. */
  async #nudge(keys: readonly string[]): Promise<void> {
    const isResting = (key: string) => {
      const peer = this.#asked?.peers.get(key);
      return peer !== undefined && rests(peer);
    };
    await this.#driver.nudge(keys, KEEPALIVE_S, isResting);
  }

  /**
   * What some peers need. Where that is to send one that is there to another place, it is looked at first: it may have come
   * into session since it was last seen, and then it knows better.
   */
  async #differenceOf(some: ReadonlyMap<string, WantedPeer>, seen: Pick<Reading, 'peers'>) {
    const departed = this.#departed.all();
    const difference = peersDifference(some, { peers: seen.peers, departed }, this.#now());
    const moves = difference.upsert.some(({ key, endpoint }) => endpoint !== undefined && seen.peers.has(key));
    if (!moves) return { difference, reading: seen };
    const peers = picked((await this.#read()).peers, new Set([...some.keys(), ...seen.peers.keys()]));
    const renewed = peersDifference(some, { peers, departed }, this.#now());
    return { difference: await this.#leavingPlaces(renewed, { peers }), reading: { peers } };
  }

  /** The difference, without another place for those that have spoken since they were read. */
  async #leavingPlaces(difference: PeersDifference, reading: Pick<Reading, 'peers'>): Promise<PeersDifference> {
    const moves = difference.upsert.filter(({ key, endpoint }) => endpoint !== undefined && reading.peers.has(key));
    const quiet = await this.#stillQuiet(moves, reading);
    const spoke = new Set(moves.map(({ key }) => key).filter((key) => !quiet.has(key)));
    if (spoke.size === 0) return difference;
    const upsert = difference.upsert.map((peer) => (spoke.has(peer.key) ? { ...peer, endpoint: undefined } : peer));
    return { ...difference, upsert };
  }

  /**
   * WireGuard knocks every 5 s, and in between a packet does not make it knock sooner. One that knocks in vain, and is to be
   * carried from now on, is therefore begun with anew.
   */
  async #stopKnocking({ upsert }: Pick<PeersDifference, 'upsert'>, { peers }: Pick<Reading, 'peers'>): Promise<void> {
    const remove = upsert.flatMap(({ key, endpoint }) => {
      const seen = peers.get(key);
      const isKnocking = seen !== undefined && endpoint !== undefined && !isInSession(seen, this.#now());
      return isKnocking && this.#asked?.peers.get(key)?.carried === true ? [key] : [];
    });
    if (remove.length > 0) await this.#driver.apply({ upsert: [], remove });
  }

  /** Reads back these peers and no others. One that should be gone and is not has no id: then nothing can be said. */
  async #settled(wanted: Wanted, keys: ReadonlySet<string>): Promise<ReadonlyMap<string, string> | undefined> {
    const after = await this.#driver.read(keys);
    if (after === null) throw new Error(GONE);
    const peers = new Map(this.#seen);
    for (const key of keys) {
      const peer = after.peers.get(key);
      if (peer === undefined) peers.delete(key);
      else peers.set(key, peer);
    }
    this.#seen = peers;
    this.#departed.see({ peers }, this.#now());
    checkSettled(wanted, after);
    const left = [...after.peers.keys()].some((key) => wanted.peers?.has(key) !== true);
    return left ? undefined : faults(wanted, after);
  }

  /** A session of the old key is to be followed by one of the new key. What was still expected of the old one is, of the new. */
  #expect(difference: PeersDifference, reading: Pick<Reading, 'peers'>): void {
    const now_ms = this.#now();
    const renewed = successors(difference, reading);
    const active = [...renewed].filter(([, before]) => isInSession(before, now_ms) || this.#fresh.has(before.key));
    this.#fresh.renewed(
      active.map(([key]) => key),
      now_ms,
    );
    const isCarried = (key: string) => this.#asked?.peers.get(key)?.carried === true; // it speaks when there is something to say
    const met = difference.upsert.filter(
      ({ key, endpoint }) => endpoint !== undefined && !reading.peers.has(key) && !renewed.has(key) && !isCarried(key),
    );
    this.#fresh.met(
      met.map(({ key }) => key),
      now_ms,
    );
    const added = difference.upsert
      .filter(({ key }) => !reading.peers.has(key) && !isCarried(key))
      .map(({ key }) => key);
    this.#newLinks.met(added, now_ms);
  }

  /** In two steps: within one, WireGuard would find the peer that it has. It is as it was, and mostly where it was. */
  async #beginAnew(wanted: ReadonlyMap<string, WantedPeer>, reading: Reading, deaf: readonly string[]): Promise<void> {
    const found = [...this.#fresh.due(reading, this.#now()), ...deaf.map((key) => ({ key, elsewhere: false }))];
    const quiet = await this.#stillQuiet(found, reading);
    const due = found.filter(({ key }) => quiet.has(key));
    if (due.length === 0) return;
    const remove = due.map(({ key }) => key);
    const upsert = due.flatMap(({ key, elsewhere }) => {
      const [peer, place] = [wanted.get(key), quiet.get(key)?.endpoint ?? undefined];
      if (peer === undefined) return [];
      return [upsertOf(peer, elsewhere ? (placeAfter(peer.endpoints, place) ?? place) : place)];
    });
    await this.#driver.apply({ upsert: [], remove });
    await this.#driver.apply({ upsert, remove: [] });
    const revived = deaf.filter((key) => quiet.has(key));
    this.#fresh.begunAnew(remove, this.#now());
    this.#fresh.met(revived, this.#now());
    this.#newLinks.begunAnew(revived, this.#now());
    this.#search.moved(upsert, this.#now());
  }

  async #moveOn(wanted: ReadonlyMap<string, WantedPeer>, reading: Reading): Promise<void> {
    const found = this.#search.next(wanted, reading, this.#now());
    const quiet = await this.#stillQuiet(found, reading);
    const upsert = found.filter(({ key }) => quiet.has(key));
    if (upsert.length === 0) return;
    await this.#driver.apply({ upsert, remove: [] });
    this.#search.moved(upsert, this.#now());
  }

  /**
   * Those of some peers that nothing came from since they were read, as they are now. One that has just spoken is where it spoke
   * from, which may be behind a NAT: it must not be sent elsewhere, and its new session must not be ended.
   */
  async #stillQuiet(
    some: readonly { readonly key: string }[],
    reading: Pick<Reading, 'peers'>,
  ): Promise<Map<string, EnginePeer>> {
    const quiet = new Map<string, EnginePeer>();
    if (some.length === 0) return quiet;
    const now = await this.#readSome(new Set(some.map(({ key }) => key)));
    for (const [key, peer] of now.peers) {
      if (peer.rx_bytes === reading.peers.get(key)?.rx_bytes) quiet.set(key, peer);
    }
    return quiet;
  }

  /** Says nothing of the other peers, and is not kept. */
  async #readSome(keys: ReadonlySet<string>): Promise<Reading> {
    const reading = await this.#driver.read(keys);
    if (reading === null) throw new Error(GONE);
    return reading;
  }

  async #read(): Promise<Reading> {
    const reading = await this.#driver.read();
    if (reading === null) throw new Error(GONE);
    this.#seen = reading.peers;
    return reading;
  }

  #opened(): Wanted {
    if (this.#wanted === undefined) throw new Error('the tunnel was not opened');
    return this.#wanted;
  }
}

const GONE = 'the WireGuard interface is gone';

function keysOf(asked: WantedPeers, changes: ReadonlyMap<string, unknown>): string[] {
  return [...changes.keys()].map((id) => asked.keyOf(id)).filter((key) => key !== undefined);
}

function picked<V>(all: ReadonlyMap<string, V>, keys: ReadonlySet<string>): Map<string, V> {
  const some = new Map<string, V>();
  for (const key of keys) {
    const value = all.get(key);
    if (value !== undefined) some.set(key, value);
  }
  return some;
}

function placed(keys: Iterable<string>, { peers }: Pick<Reading, 'peers'>): string[] {
  return [...keys].filter((key) => (peers.get(key)?.endpoint ?? null) !== null);
}

function checkSettings({ private_key, port, mark }: TunnelSettings): void {
  if (!isKey(private_key)) throw new TypeError('the private key is no WireGuard key');
  if (!isPort(port)) throw new TypeError(`${port} is no UDP port`);
  if (!isMark(mark)) throw new TypeError(`${mark} is no mark of 32 bits`);
}

function isNothing({ private_key, port, mark, upsert, remove }: Change): boolean {
  return (private_key ?? port ?? mark) === undefined && upsert.length === 0 && remove.length === 0;
}

function checkSettled(wanted: Wanted, reading: Reading): void {
  if (reading.port === 0) throw new PortTakenError(wanted.settings.port);
  const left = settingsDrift(wanted, reading);
  if (left.length > 0) throw new Error(`WireGuard did not take its settings: ${left.join('; ')}`);
}

/** By id. A peer that is there but should not be has none: `drift()` tells of it. */
function faults({ peers }: Wanted, reading: Reading): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, peer] of peers ?? []) {
    const seen = reading.peers.get(key);
    const fault = seen === undefined ? 'is missing' : peerFault(peer, seen);
    if (fault !== null) found.set(peer.id, fault);
  }
  return found;
}
