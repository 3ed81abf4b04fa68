import { createHash } from 'node:crypto';
import { MeshError } from '@meshwork/contract';
import { addressPrefixOf } from '@meshwork/service';
import { backOff, type Clock } from '@meshwork/time';

/** Counts as failed until it is withdrawn, so that concurrent attempts all count. */
export interface Attempt {
  /** Neither failed nor succeeded: it was not checked, or the second factor is still missing. */
  withdraw(): void;
}

interface Failures {
  count: number;
  until_ms: number;
  last_ms: number;
}

/** Allowed for typing errors (docs/decisions/0028). After that the wait doubles with each failure. */
const FREE_AT_HOME = 5;
/** Of one account, from all unknown prefixes together. */
const FREE_ELSEWHERE = 20;
const LONGEST_WAIT_MS = 15 * 60 * 1000;
const FIRST_WAIT_MS = 1000;
/** Older failures are forgotten. */
const FORGET_AFTER_MS = 60 * 60 * 1000;
/** Counters at once; beyond it the oldest goes. */
const MAX_COUNTERS = 20_000;

/**
 * Limits guesses of an account's password, code or recovery code. Failures are counted by account and address prefix, and by
 * account alone for prefixes without an earlier sign-in, so that an attacker elsewhere cannot lock the person out. Unknown
 * names are counted too. In memory: each panel counts its own.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #counters = new Map<string, Failures>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `account`: the name that was tried. `knownPrefixes`: where the person signed in before. Throws `rate_limited` during a wait. */
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

  /** Clears the failures from this address prefix. Those from unknown prefixes still count. */
  succeeded(account: string, address: string): void {
    this.#counters.delete(`at ${prefixHash(account, address)}`);
  }

  #count(key: string, free: number, now: number): Failures {
    const before = this.#counters.get(key);
    const count = before === undefined || now - before.last_ms > FORGET_AFTER_MS ? 1 : before.count + 1;
    const wait_ms = count < free ? 0 : backOff(FIRST_WAIT_MS, count - free, LONGEST_WAIT_MS);
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

/** An address prefix as it is stored: a hash that differs for each account. */
export function prefixHash(account: string, address: string): string {
  return digest(`${account}\n${addressPrefixOf(address)}`);
}

function ensureOver(failures: Failures | undefined, now: number): void {
  if (failures === undefined || failures.until_ms <= now) return;
  const retry_after_s = Math.ceil((failures.until_ms - now) / 1000);
  throw new MeshError('rate_limited', `Too many failed attempts. Try again in ${retry_after_s} s.`, {
    retry_after_s,
  });
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
