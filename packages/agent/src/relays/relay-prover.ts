import { isDeepStrictEqual } from 'node:util';
import type { RelayAccess, RelayProof } from '@meshwork/contract';
import { MAX_PROBLEM_LENGTH } from '@meshwork/contract/vocabulary';
import { messageOf } from '../message-of.ts';
import { type ProvenRelay, proveRelay, RelayProblem, type RelayTrial } from './prove-relay.ts';

interface ProverPace {
  /** How often a relay that carries is tried. */
  readonly every_ms: number;
  /** After how long one that does not is tried again: first, second … and then `every_ms`. */
  readonly again_ms: readonly number[];
}

/** Ours: a relay that ceases to carry is known within a minute, with the heartbeat. */
const PACE: ProverPace = { every_ms: 30_000, again_ms: [2000, 5000, 10_000] };

interface RelayProverOptions {
  /** The roots of the mesh, in PEM. */
  readonly roots: () => readonly string[];
  /** There is a proof that is worth a heartbeat. */
  readonly changed: () => void;
  readonly prove?: ((trial: RelayTrial) => Promise<ProvenRelay>) | undefined;
  readonly pace?: ProverPace | undefined;
}

/** Tries the relays that this node may send through, now and then, and knows what became of that. */
export class RelayProver {
  readonly #options: RelayProverOptions;
  readonly #relays = new Map<string, ProvedRelay>();

  constructor(options: RelayProverOptions) {
    this.#options = options;
  }

  /** All that have been tried, in the order in which the coordinator named them. */
  get proofs(): readonly RelayProof[] {
    return [...this.#relays.values()].flatMap(({ proof }) => proof ?? []);
  }

  /** Of those that carry. */
  get round_trips(): readonly { readonly name: string; readonly rtt_ms: number }[] {
    return [...this.#relays.values()].flatMap(({ round_trip }) => round_trip ?? []);
  }

  /** All relays that it may use now. New credentials alone are no reason to try one at once. */
  setAccess(list: readonly RelayAccess[]): void {
    const before = new Map(this.#relays);
    this.#relays.clear();
    for (const access of list) {
      const { name } = access.relay;
      const known = before.get(name);
      before.delete(name);
      if (known !== undefined && isDeepStrictEqual(known.access.relay, access.relay)) {
        known.access = access;
        this.#relays.set(name, known);
      } else {
        known?.stop();
        this.#relays.set(name, new ProvedRelay(access, this.#options));
      }
    }
    for (const gone of before.values()) gone.stop();
  }

  stop(): void {
    for (const relay of this.#relays.values()) relay.stop();
    this.#relays.clear();
  }
}

/** One relay, tried for as long as it may be used. */
class ProvedRelay {
  access: RelayAccess;
  proof: RelayProof | undefined;
  round_trip: { readonly name: string; readonly rtt_ms: number } | undefined;
  readonly #options: RelayProverOptions;
  readonly #stopping = new AbortController();
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(access: RelayAccess, options: RelayProverOptions) {
    this.access = access;
    this.#options = options;
    void this.#try();
  }

  stop(): void {
    this.#stopping.abort();
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    const { roots, prove = proveRelay, pace = PACE } = this.#options;
    const { signal } = this.#stopping;
    const { name } = this.access.relay;
    try {
      const { via, rtt_ms } = await prove({ access: this.access, roots: roots(), signal });
      this.#failures = 0;
      this.round_trip = { name, rtt_ms: Math.round(rtt_ms * 10) / 10 };
      this.#found({ name, carries: true, via });
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      this.round_trip = undefined;
      const via = error instanceof RelayProblem ? error.via : undefined;
      const problem = messageOf(error).slice(0, MAX_PROBLEM_LENGTH);
      this.#found({ name, carries: false, ...(via === undefined ? {} : { via }), problem });
    }
    if (signal.aborted) return;
    const wait_ms = pace.again_ms[this.#failures - 1] ?? pace.every_ms;
    // Not all at the same moment: nodes that learn of a relay together would try it together for ever.
    this.#timer = setTimeout(() => void this.#try(), wait_ms * (0.9 + Math.random() * 0.2)).unref();
  }

  #found(proof: RelayProof): void {
    if (this.#stopping.signal.aborted || isDeepStrictEqual(proof, this.proof)) return;
    this.proof = proof;
    this.#options.changed();
  }
}
