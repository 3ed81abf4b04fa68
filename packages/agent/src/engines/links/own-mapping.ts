import { endpointOf, familyOf } from '@meshwork/addresses';
import type { NatMapping } from '@meshwork/contract/vocabulary';
import { ownAddresses } from '../../host/own-addresses.ts';
import { textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import { askEach } from './ask-each.ts';
import type { Questions } from './questions.ts';

interface OwnMappingOptions {
  readonly questions: Pick<Questions, 'ask'>;
  /** Where relays answer STUN, the nearest first. */
  readonly servers: () => Promise<readonly Place[]>;
  /** Whether a relay is reached by a stream, which is what is done where UDP is blocked. */
  readonly streams: () => boolean;
  /** WireGuard's. */
  readonly port: number;
  readonly changed: () => void;
}

/** Ours: NATs forget a port that sent nothing for 30 s, most of them later. */
const KEEP_MS = 25_000;
/** Ours: an answer comes at once, or after one that was lost. */
const PATIENCE = { rounds_ms: [0, 250, 750], give_up_ms: 1500 } as const;

/** How relays see WireGuard's own port: where peers outside find it, and what kind of NAT stands before it. */
export class OwnMapping {
  readonly #options: OwnMappingOptions;
  #mapped: readonly Place[] = [];
  #nat: NatMapping | undefined;
  #asked_ms = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OwnMappingOptions) {
    this.#options = options;
  }

  /** Outside of a NAT. Where that shows each a port of its own, the port is a guess, and the address is right. */
  get endpoints(): readonly string[] {
    if (this.#nat !== 'address-dependent') return this.#mapped.map(textOf);
    return [...new Set(this.#mapped.map(({ address }) => endpointOf(address, this.#options.port)))];
  }

  /** Undefined: not known. */
  get nat(): NatMapping | undefined {
    return this.#nat;
  }

  /** Asks now, and then often enough for the NAT to keep the port. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => void this.ask(), KEEP_MS).unref();
    void this.ask();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** At most that old. */
  async fresh(max_age_ms: number): Promise<void> {
    if (performance.now() - this.#asked_ms > max_age_ms) await this.ask();
  }

  ask(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(): Promise<void> {
    const servers = await this.#options.servers();
    const answers = await askEach(this.#options.questions, servers, PATIENCE);
    const seen = answers.filter((place) => place !== undefined);
    this.#asked_ms = performance.now();
    const own = new Set(ownAddresses());
    const mapped = [...new Map(seen.map((place) => [textOf(place), place])).values()];
    const outside = mapped.filter(({ address }) => !own.has(address));
    const nat = natOf(seen, outside) ?? (seen.length === 0 && this.#options.streams() ? 'udp-blocked' : this.#nat);
    // One server that did not answer this time says nothing about the others' port.
    const places = seen.length === 0 && nat !== 'udp-blocked' ? this.#mapped : outside;
    const isSame = nat === this.#nat && places.map(textOf).join() === this.#mapped.map(textOf).join();
    [this.#mapped, this.#nat] = [places, nat];
    if (!isSame) this.#options.changed();
  }
}

/** Of one family, for a host may have a NAT for IPv4 alone. Undefined: one answer, or none, does not say. */
function natOf(seen: readonly Place[], outside: readonly Place[]): NatMapping | undefined {
  const four = (places: readonly Place[]) => places.filter(({ address }) => familyOf(address) === 4);
  if (seen.length > 0 && outside.length === 0) return 'none';
  if (four(outside).length > 1) return 'address-dependent';
  return four(seen).length > 1 ? 'endpoint-independent' : undefined;
}
