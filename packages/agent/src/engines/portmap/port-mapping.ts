import { endpointOf, kindOfAddress } from '@meshwork/addresses';
import { InTurn } from '../../host/in-turn.ts';
import type { AgentLog } from '../../host/log.ts';
import { messageOf } from '../../message-of.ts';
import { Announcements } from './announcements.ts';
import type { Gateway } from './gateway.ts';
import { GatewayEpoch } from './gateway-epoch.ts';
import {
  type GrantedMapping,
  type HeldMapping,
  LIFETIME_S,
  type MappingMethod,
  type MappingProtocol,
  type WantedMapping,
} from './mapping-protocol.ts';
import { loadMapping, newNonce, type SavedMapping, saveMapping } from './saved-mapping.ts';

interface PortMappingOptions {
  /** WireGuard's. */
  readonly port: number;
  /** Private, for what outlives the agent. */
  readonly folder: string;
  /** In the order in which they are tried. */
  readonly protocols: readonly MappingProtocol[];
  readonly gateway: () => Promise<Gateway | undefined>;
  /** Called when it is another one than before. Null: there is none. */
  readonly changed: (endpoint: string | null) => void;
  readonly log: Pick<AgentLog, 'info'>;
  /** Absent: a clock that only goes forward. */
  readonly now?: (() => number) | undefined;
}

/** A mapping that is in effect, and when it is to be renewed, by a clock that only goes forward. */
interface Standing {
  readonly held: HeldMapping;
  readonly renew_ms: number;
}

/** Ours: a router that started again without a word is found out within this time. It costs a packet. */
const CHECK_EVERY_MS = 60_000;
/** Ours: a router that offers nothing is seldom replaced without a change of addresses, which is heard of. */
const AGAIN = { first_ms: 60_000, longest_ms: 30 * 60_000 } as const;
/** RFC 6887, 8.5: all hosts behind a router hear that it started again, and should not all ask at once. */
const SPREAD_MS = 5000;
/** Ours: addresses and routes change several at a time. */
const SETTLES_MS = 500;

/**
 * Keeps one mapping of WireGuard's port, for as long as it is allowed: made by the first protocol that works, renewed when half of
 * its life is over, and made anew when the router has lost it or is another one. Deleted when it is not allowed any more. A router
 * that does not answer changes nothing until the mapping has ended.
 */
export class PortMapping {
  readonly #options: PortMappingOptions;
  readonly #turns = new InTurn();
  readonly #epoch = new GatewayEpoch();
  readonly #announcements = new Announcements((from) => this.#announced(from));
  #isAllowed: boolean | undefined;
  #standing: Standing | undefined;
  /** When it ends, unless it is renewed. */
  #ends_ms = 0;
  #gateway: Gateway | undefined;
  #problem: string | null = null;
  #failures = 0;
  /** The router has announced that it lost what it knew. */
  #isDoubtful = false;
  /** When such a word was last heeded. */
  #heeded_ms = Number.NEGATIVE_INFINITY;
  #next: { readonly at_ms: number; readonly timer: NodeJS.Timeout } | undefined;

  constructor(options: PortMappingOptions) {
    this.#options = options;
  }

  #now(): number {
    return (this.#options.now ?? performance.now.bind(performance))();
  }

  /** For the diagnosis. */
  get state() {
    const { held } = this.#standing ?? {};
    return {
      allowed: this.#isAllowed ?? false,
      gateway: this.#gateway?.address ?? null,
      method: held?.method ?? null,
      endpoint: held === undefined ? null : endpointOf(held.address, held.port),
      problem: this.#problem,
    };
  }

  allow(isAllowed: boolean): void {
    if (isAllowed === this.#isAllowed) return;
    this.#isAllowed = isAllowed;
    this.#failures = 0;
    if (isAllowed) this.#announcements.start();
    else this.#announcements.stop();
    this.#within(0);
  }

  /** The host has another address or another default route. */
  networkChanged(): void {
    this.#failures = 0;
    if (this.#isAllowed === true) this.#within(SETTLES_MS);
  }

  /** Deletes it now, whatever is allowed. */
  async end(): Promise<void> {
    this.allow(false);
    await this.#turns.take(() => this.#step());
  }

  /** Resolves when what is being done now is done. */
  async settled(): Promise<void> {
    await this.#turns.take(async () => undefined);
  }

  /** It is renewed, and not only asked for: a router that started twice within seconds counts as it did before. */
  #announced(from: string): void {
    if (from !== this.#gateway?.address) return;
    this.#isDoubtful = true;
    const rests_ms = Math.max(0, this.#heeded_ms + SPREAD_MS - this.#now());
    this.#within(rests_ms + Math.random() * SPREAD_MS);
  }

  /** The sooner of this and what is due anyway. */
  #within(wait_ms: number): void {
    const at_ms = this.#now() + wait_ms;
    if (this.#next !== undefined && this.#next.at_ms <= at_ms) return;
    clearTimeout(this.#next?.timer);
    const timer = setTimeout(() => {
      this.#next = undefined;
      void this.#turns.take(() => this.#step());
    }, wait_ms).unref();
    this.#next = { at_ms, timer };
  }

  /** Never rejects. */
  async #step(): Promise<void> {
    try {
      const gateway = await this.#options.gateway();
      this.#gateway = gateway;
      if (this.#isAllowed === true) await this.#keep(gateway);
      else await this.#release(gateway);
    } catch (error) {
      this.#failed(messageOf(error));
    }
  }

  async #keep(gateway: Gateway | undefined): Promise<void> {
    if (gateway === undefined) return this.#without('this host has no IPv4 gateway');
    if (kindOfAddress(gateway.from) === 'global') return this.#without('this host has a public address itself');
    if (this.#standing !== undefined && !isSame(this.#standing.held.gateway, gateway)) this.#stand(undefined);
    const standing = this.#standing;
    if (standing !== undefined && !this.#isDoubtful && this.#now() < standing.renew_ms) {
      if (await this.#stillThere(standing.held)) {
        this.#within(Math.min(CHECK_EVERY_MS, Math.max(0, standing.renew_ms - this.#now())));
        return;
      }
      this.#ends_ms = this.#now(); // unless it is made again now
    }
    await this.#make(gateway);
  }

  /** A router that does not answer says nothing about it. */
  async #stillThere(held: HeldMapping): Promise<boolean> {
    try {
      const found = await this.#protocolOf(held).check(held);
      if (found === 'lost') return false;
      return found.epoch_s === null || this.#epoch.isSame(found.epoch_s, this.#now());
    } catch {
      return true;
    }
  }

  async #make(gateway: Gateway): Promise<void> {
    const { port, folder } = this.#options;
    if (this.#isDoubtful) this.#heeded_ms = this.#now();
    this.#isDoubtful = false;
    const saved = await this.#saved();
    const before = saved.held !== null && isSame(saved.held.gateway, gateway) ? saved.held : null;
    if (before !== null && before.inside_port !== port) await this.#unmap(before);
    const outside_port = before?.inside_port === port ? before.port : port;
    const made = await this.#ask(gateway, { port, outside_port, nonce: saved.nonce }, before?.method);
    if (typeof made === 'string') return this.#failed(made);
    const { method, granted } = made;
    const { address, port: outside, control } = granted;
    const held = { method, gateway, address, port: outside, inside_port: port, nonce: saved.nonce, control };
    try {
      await saveMapping(folder, { nonce: saved.nonce, held });
    } catch (error) {
      await this.#unmap(held); // what is not on disk would be forgotten
      throw error;
    }
    this.#made(held, granted);
  }

  /** By the first protocol that works. Otherwise why none does. */
  async #ask(
    gateway: Gateway,
    wanted: WantedMapping,
    before: MappingMethod | undefined,
  ): Promise<{ readonly method: MappingMethod; readonly granted: GrantedMapping } | string> {
    const reasons: string[] = [];
    // The one that made it comes first: by another one the router would make a second mapping.
    const rank = ({ method }: MappingProtocol) => (method === before ? 0 : 1);
    for (const protocol of this.#options.protocols.toSorted((a, b) => rank(a) - rank(b))) {
      const { method } = protocol;
      try {
        return { method, granted: await protocol.map(gateway, wanted) };
      } catch (error) {
        reasons.push(`${method}: ${messageOf(error)}`);
      }
    }
    return reasons.join('; ');
  }

  #made(held: HeldMapping, { lifetime_s, epoch_s }: GrantedMapping): void {
    const now_ms = this.#now();
    const life_ms = (lifetime_s ?? LIFETIME_S) * 1000;
    this.#epoch.forget();
    if (epoch_s !== null) this.#epoch.isSame(epoch_s, now_ms);
    this.#failures = 0;
    this.#problem = null;
    this.#ends_ms = now_ms + life_ms;
    this.#stand({ held, renew_ms: now_ms + life_ms / 2 });
    this.#within(Math.min(CHECK_EVERY_MS, life_ms / 2));
  }

  #without(problem: string): void {
    this.#stand(undefined);
    this.#failed(problem);
  }

  #failed(problem: string): void {
    if (this.#now() >= this.#ends_ms) this.#stand(undefined);
    const what = this.#standing === undefined ? 'no port of a router is mapped' : 'the mapping could not be renewed';
    if (problem !== this.#problem) this.#options.log.info(`${what}: ${problem}`);
    this.#problem = problem;
    const wait_ms = Math.min(AGAIN.first_ms * 2 ** this.#failures, AGAIN.longest_ms);
    this.#failures += 1;
    // What still stands is asked for until it ends.
    if (this.#isAllowed === true) this.#within(this.#standing === undefined ? wait_ms : AGAIN.first_ms);
  }

  async #release(gateway: Gateway | undefined): Promise<void> {
    this.#problem = null;
    this.#stand(undefined);
    const saved = await loadMapping(this.#options.folder);
    if (saved?.held == null) return;
    if (gateway !== undefined && isSame(saved.held.gateway, gateway)) await this.#unmap(saved.held);
    await saveMapping(this.#options.folder, { ...saved, held: null });
  }

  /** A router that cannot be asked any more forgets it by itself. */
  async #unmap(held: HeldMapping): Promise<void> {
    const { log } = this.#options;
    const endpoint = endpointOf(held.address, held.port);
    try {
      await this.#protocolOf(held).unmap(held);
      log.info('the mapping of the router is deleted', { method: held.method, endpoint });
    } catch (error) {
      log.info(`the mapping of the router could not be deleted: ${messageOf(error)}`, {
        method: held.method,
        endpoint,
      });
    }
  }

  async #saved(): Promise<SavedMapping> {
    const { folder } = this.#options;
    const found = await loadMapping(folder);
    if (found !== undefined) return found;
    const made = { nonce: newNonce(), held: null };
    await saveMapping(folder, made);
    return made;
  }

  #stand(standing: Standing | undefined): void {
    const before = this.state.endpoint;
    this.#standing = standing;
    const { endpoint, method } = this.state;
    if (endpoint === before) return;
    if (endpoint !== null) this.#options.log.info('the router maps a port to WireGuard', { method, endpoint });
    this.#options.changed(endpoint);
  }

  #protocolOf({ method }: HeldMapping): MappingProtocol {
    const protocol = this.#options.protocols.find((one) => one.method === method);
    if (protocol === undefined) throw new Error(`${method} is not spoken`);
    return protocol;
  }
}

function isSame(a: Gateway, b: Gateway): boolean {
  return a.address === b.address && a.from === b.from;
}
