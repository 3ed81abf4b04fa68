import type { UpstreamHealth } from '@meshwork/contract';
import { utc } from '@meshwork/contract/vocabulary';

/** The longest that the wire carries. */
const MAX_WHY_LENGTH = 200;

type Found = Pick<UpstreamHealth, 'state' | 'since' | 'why'>;

interface RiseAndFallOptions {
  /** Passes in a row after which it is up again. */
  readonly rise: number;
  /** Failures in a row after which it is down. */
  readonly fall: number;
  readonly now: () => number;
  /** What another check of the same place had found. It counts until the first result is there. */
  readonly before?: Found | undefined;
}

/**
 * What follows from the results of checks. The first one decides; from then on it takes several in a row, so that one packet
 * that is lost takes no node out, and one lucky answer brings none back.
 */
export class RiseAndFall {
  readonly #options: RiseAndFallOptions;
  #found: Found;
  #isDecided = false;
  /** Results in a row that contradict the state. */
  #against = 0;

  constructor(options: RiseAndFallOptions) {
    this.#options = options;
    this.#found = options.before ?? { state: 'unknown', since: utc(options.now()), why: null };
  }

  /** Another object after every change of it, and only then. */
  get found(): Found {
    return this.#found;
  }

  passed(): void {
    const isUp = this.#judge('up', this.#options.rise);
    if (isUp) this.#explain(null); // until then the last failure says why it is down
  }

  failed(why: string): void {
    this.#judge('down', this.#options.fall);
    this.#explain(why);
  }

  /** The gateway itself was not able to check it, which says nothing of the node. */
  unchecked(why: string): void {
    this.#explain(why);
  }

  /** It is not checked, and counts as up. */
  assume(): void {
    this.#set('up');
    this.#explain(null);
  }

  /** It is not checked either: it must not be reached. */
  refuse(why: string): void {
    this.#set('down');
    this.#explain(why);
  }

  /** Answers whether that is the state now. */
  #judge(state: 'up' | 'down', needed: number): boolean {
    this.#against = this.#found.state === state ? 0 : this.#against + 1;
    if (this.#against > 0 && (!this.#isDecided || this.#against >= needed)) {
      this.#set(state);
      this.#against = 0;
    }
    this.#isDecided = true;
    return this.#found.state === state;
  }

  #set(state: 'up' | 'down'): void {
    if (this.#found.state !== state) this.#found = { ...this.#found, state, since: utc(this.#options.now()) };
  }

  #explain(why: string | null): void {
    const text = why === null ? null : why.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_WHY_LENGTH);
    if (text !== this.#found.why) this.#found = { ...this.#found, why: text };
  }
}
