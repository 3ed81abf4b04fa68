/** One search for a direct path to a peer: both ends ask each other's endpoints at the same time, so that each opens its NAT. */
import { familyOf, kindOfAddress } from '@meshwork/addresses';
import type { LinkReport } from '@meshwork/contract';
import { placeOf, textOf } from '../../stun/place-text.ts';
import type { Place } from '../../stun/xor-address.ts';
import type { Questions } from './questions.ts';

/** What answered, proven with the key of the pair. */
export interface DirectPath {
  /** The peer's. */
  readonly to: Place;
  /** Ours, as the peer sees us there. */
  readonly from: Place;
  readonly rtt_ms: number;
}

interface DirectSearchOptions {
  readonly peer: string;
  readonly questions: Pick<Questions, 'ask'>;
  /** Called once. Undefined: nothing answered. */
  readonly ended: (found: DirectPath | undefined) => void;
}

/** Ours: the first packets open the NATs, the next ones pass; the last are for those that were lost. */
const ROUNDS_MS = [0, 120, 300, 600, 1000, 1500] as const;
const GIVE_UP_MS = 2200;
/** Ours: a better endpoint may answer a little later than the first one. */
const SETTLE_MS = 100;
const MAX_PLACES = 16;
/** Ours: guessed ports are many, and the first packet that finds the right one opens our own NAT for it. */
const GUESSED_ROUNDS_MS = [0, 300, 900] as const;

export class DirectSearch {
  readonly #options: DirectSearchOptions;
  readonly #places = new Map<string, Place>();
  readonly #found = new Map<string, DirectPath>();
  readonly #unreachable = new Set<string>();
  readonly #timers: NodeJS.Timeout[];
  #isGuessing = false;
  #settling: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: DirectSearchOptions, endpoints: readonly string[]) {
    this.#options = options;
    this.add(endpoints);
    this.#timers = [
      ...ROUNDS_MS.slice(1).map((wait_ms) => setTimeout(() => this.#askAll(), wait_ms)),
      setTimeout(() => this.#end(), GIVE_UP_MS),
    ];
  }

  /** Those that are not asked yet are asked at once. */
  add(endpoints: readonly string[]): void {
    for (const endpoint of endpoints) {
      const place = placeOf(endpoint);
      if (place === undefined || this.#places.has(textOf(place)) || this.#places.size >= MAX_PLACES || this.#isOver)
        continue;
      this.#places.set(textOf(place), place);
      this.#ask(place);
    }
  }

  /** Places that the NAT of the peer may show us, once for each search. They are among what was tried only if they answer. */
  guess(places: readonly Place[]): void {
    if (this.#isGuessing || this.#isOver) return;
    this.#isGuessing = true;
    const askAll = () => {
      for (const place of places) this.#ask(place);
    };
    this.#timers.push(...GUESSED_ROUNDS_MS.map((wait_ms) => setTimeout(askAll, wait_ms)));
  }

  /** What became of each endpoint so far. */
  get tried(): NonNullable<LinkReport['tried']> {
    const all = [...this.#places.keys()].map((endpoint) => {
      const rtt_ms = this.#found.get(endpoint)?.rtt_ms;
      if (rtt_ms !== undefined) return { endpoint, outcome: 'answered' as const, rtt_ms: Math.round(rtt_ms * 10) / 10 };
      return { endpoint, outcome: this.#unreachable.has(endpoint) ? ('unreachable' as const) : ('silent' as const) };
    });
    // A peer may answer from more places than it was asked at, and a report with more than this is refused as a whole.
    return all.sort((a, b) => Number(b.outcome === 'answered') - Number(a.outcome === 'answered')).slice(0, MAX_PLACES);
  }

  stop(): void {
    this.#isOver = true;
    for (const timer of this.#timers) clearTimeout(timer);
    clearTimeout(this.#settling);
  }

  #askAll(): void {
    for (const [text, place] of this.#places) if (!this.#found.has(text)) this.#ask(place);
  }

  #ask(place: Place): void {
    const { questions, peer } = this.#options;
    void questions
      .ask(place, peer, ({ from, mapped, rtt_ms }) => this.#answered({ to: from, from: mapped, rtt_ms }))
      .then((isSent) => {
        if (!isSent) this.#unreachable.add(textOf(place));
      });
  }

  #answered(path: DirectPath): void {
    const text = textOf(path.to);
    if (this.#isOver || this.#found.has(text)) return;
    this.#places.set(text, path.to);
    this.#found.set(text, path);
    this.#settling ??= setTimeout(() => this.#end(), SETTLE_MS);
  }

  #end(): void {
    if (this.#isOver) return;
    this.stop();
    const [best] = [...this.#found.values()].sort(byWorth);
    this.#options.ended(best);
  }
}

/** A network that both are in, then IPv6, which no NAT stands before, then the quicker one. */
function byWorth(one: DirectPath, other: DirectPath): number {
  return rank(one.to) - rank(other.to) || one.rtt_ms - other.rtt_ms;
}

function rank({ address }: Place): number {
  if (kindOfAddress(address) === 'private') return 0;
  return familyOf(address) === 6 ? 1 : 2;
}
