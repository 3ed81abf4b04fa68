import { createHash } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import { addressPrefixOf, type Clock } from '@meshwork/service';

/** Counted as failed until it is said to be otherwise, so that many at once count as many. */
export interface Attempt {
  /** Neither failed nor succeeded: it was not looked at, or the second factor is still owed. */
  withdraw(): void;
}

interface Failures {
  count: number;
  until_ms: number;
  last_ms: number;
}

/** So many are anybody's typing errors (docs/decisions/0028). From then on the wait doubles. */
const FREE_AT_HOME = 5;
/** Of one account from all places together that it has not been signed in from. */
const FREE_ELSEWHERE = 20;
const LONGEST_WAIT_MS = 15 * 60 * 1000;
const FIRST_WAIT_MS = 1000;
/** Failures that old are forgotten. */
const FORGET_AFTER_MS = 60 * 60 * 1000;
/** Counters at once; beyond it the oldest goes. */
const MAX_COUNTERS = 20_000;

/**
 * Slows down who guesses: an account's password, code or recovery code. Counted by account and address prefix, and by account
 * alone for prefixes that it was never signed in from, so that strangers cannot lock out who is at home. Names that
 * nobody has are counted just the same. In memory: each panel counts its own.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #counters = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `account`: the name somebody tries. `knownPrefixes`: of the person's sighting. Throws `rate_limited` while it has to wait. */
  begin(account: string, address: string, knownPrefixes: readonly string[]): Attempt {
    const prefix = prefixHash(account, address);
    const isKnown = knownPrefixes.includes(prefix);
    const counted = [
      { key: `at ${prefix}`, free: FREE_AT_HOME },
      ...(isKnown ? [] : [{ key: `of ${digest(account)}`, free: FREE_ELSEWHERE }]),
    ];
    const now = this.#clock.monotonic();
    for (const { key } of counted) ensureOver(this.#counters.get(key), now);
    const counts = counted.map(({ key, free }) => ({ key, failures: this.#count(key, free, now) }));
    return {
      withdraw: () => {
        for (const { key, failures } of counts.splice(0)) this.#withdraw(key, failures);
      },
    };
  }

  /** Whoever is in is no stranger at home; failures elsewhere go on counting for elsewhere. */
  succeeded(account: string, address: string): void {
    this.#counters.delete(`at ${prefixHash(account, address)}`);
  }

  #count(key: string, free: number, now: number): Failures {
    const before = this.#counters.get(key);
    const count = before === undefined || now - before.last_ms > FORGET_AFTER_MS ? 1 : before.count + 1;
    const wait_ms = count < free ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(30, count - free));
    const failures = { count, until_ms: now + wait_ms, last_ms: now };
    this.#counters.delete(key); // to the end: the first is the one that was used longest ago
    this.#counters.set(key, failures);
    const [oldest] = this.#counters.size > MAX_COUNTERS ? this.#counters.keys() : [];
    if (oldest !== undefined) this.#counters.delete(oldest);
    return failures;
  }

  /** The wait before it was over, or it could not have begun: so there is none, unless another has failed since. */
  #withdraw(key: string, failures: Failures): void {
    const found = this.#counters.get(key);
    if (found === undefined) return;
    found.count -= 1;
    if (found === failures) found.until_ms = 0;
  }
}

/** How a sighting names an address prefix: not the address itself, and not the same for two accounts. */
export function prefixHash(account: string, address: string): string {
  return digest(`${account}\n${addressPrefixOf(address)}`);
}

function ensureOver(failures: Failures | undefined, now: number): void {
  if (failures === undefined || failures.until_ms <= now) return;
  const retry_after_s = Math.ceil((failures.until_ms - now) / 1000);
  throw new MeshError('rate_limited', `After repeated failures the next attempt has to wait ${retry_after_s} s.`, {
    retry_after_s,
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
