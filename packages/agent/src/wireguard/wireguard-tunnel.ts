import { InTurn } from '../host/in-turn.ts';
import { wireguardKeyOf } from '../identity/keys.ts';
import { peerFault, peersDifference } from './difference.ts';
import { driftBetween, settingsDifference, settingsDrift, type Wanted } from './drift.ts';
import { type Change, type Driver, PortTakenError, type Reading } from './driver.ts';
import { Search } from './search.ts';
import type { SeenTunnel, Tunnel, TunnelPeer, TunnelSettings } from './tunnel.ts';
import { isKey, isMark, isPort } from './values.ts';
import { wantedPeers } from './wanted-peers.ts';

export interface WireguardTunnelOptions {
  readonly driver: Driver;
  readonly now?: (() => number) | undefined;
}

/** A tunnel on one of WireGuard's engines. What is asked of it happens in turn, and always starts from what is there. */
export class WireguardTunnel implements Tunnel {
  readonly #driver: Driver;
  readonly #now: () => number;
  readonly #turn = new InTurn();
  readonly #search = new Search();
  #wanted: Wanted | undefined;

  constructor({ driver, now = Date.now }: WireguardTunnelOptions) {
    this.#driver = driver;
    this.#now = now;
  }

  open(settings: TunnelSettings): Promise<void> {
    return this.#turn.take(async () => {
      checkSettings(settings);
      const public_key = wireguardKeyOf(settings.private_key).public;
      const wanted: Wanted = { settings, public_key, peers: this.#wanted?.peers };
      this.#wanted = wanted;
      await this.#driver.ensure();
      const change = settingsDifference(wanted, await this.#read());
      if (isNothing(change)) return;
      await this.#driver.apply(change);
      checkSettled(wanted, await this.#read());
    });
  }

  setPeers(peers: readonly TunnelPeer[]): Promise<ReadonlyMap<string, string>> {
    return this.#turn.take(async () => {
      const { settings, public_key } = this.#opened();
      const { peers: asked, refused } = wantedPeers(peers, public_key);
      const wanted = { settings, public_key, peers: asked };
      this.#wanted = wanted;
      this.#search.keepOnly(asked);
      await this.#driver.ensure();
      const reading = await this.#read();
      const { upsert, remove } = peersDifference(asked, reading, this.#now());
      const change = { ...settingsDifference(wanted, reading), upsert, remove };
      if (isNothing(change)) return refused;
      const placed = upsert.filter(({ endpoint }) => endpoint !== undefined);
      this.#search.moved(placed, this.#now());
      await this.#driver.apply(change);
      const after = await this.#read();
      checkSettled(wanted, after);
      return new Map([...refused, ...faults(wanted, after)]);
    });
  }

  look(): Promise<SeenTunnel> {
    return this.#turn.take(() => this.#read());
  }

  drift(): Promise<string | null> {
    return this.#turn.take(async () => {
      const wanted = this.#opened();
      const reading = await this.#driver.read();
      return reading === null ? 'the interface is gone' : driftBetween(wanted, reading);
    });
  }

  seekPeers(): Promise<SeenTunnel> {
    return this.#turn.take(async () => {
      const { peers } = this.#opened();
      const reading = await this.#read();
      const upsert = peers === undefined ? [] : this.#search.next(peers, reading, this.#now());
      if (upsert.length > 0) {
        await this.#driver.apply({ upsert, remove: [] });
        this.#search.moved(upsert, this.#now());
      }
      return reading;
    });
  }

  remove(): Promise<void> {
    return this.#turn.take(async () => {
      this.#wanted = undefined;
      await this.#driver.remove();
    });
  }

  async #read(): Promise<Reading> {
    const reading = await this.#driver.read();
    if (reading === null) throw new Error('the WireGuard interface is gone');
    return reading;
  }

  #opened(): Wanted {
    if (this.#wanted === undefined) throw new Error('the tunnel was not opened');
    return this.#wanted;
  }
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
