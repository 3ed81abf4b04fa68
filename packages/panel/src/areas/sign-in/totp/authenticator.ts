/** What the panel and an authenticator both compute from their common secret (RFC 6238, as every authenticator knows it). */
import { Secret, TOTP } from 'otpauth';

/** Bytes of a secret: as many as the hash has (RFC 4226, section 4). */
const SECRET_BYTES = 20;
const PERIOD_S = 30;
/** Steps to either side that count as now: people type slowly, and clocks differ. */
const WINDOW = 1;

/** In base32, as people type it in and authenticators scan it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** What is scanned. */
export function totpUri(secret: string, name: string): string {
  return new TOTP({ issuer: 'Meshwork', label: name, secret }).toString();
}

/** The last step whose code counts as now. */
export function lastStepAt(now_ms: number): number {
  return TOTP.counter({ period: PERIOD_S, timestamp: now_ms }) + WINDOW;
}

/**
 * The step that the code belongs to, when that is now. Steps are counted from 1970, so a later code has a larger one. Only ASCII
 * digits are a code: the library throws for texts that have more bytes than characters.
 */
export function stepOfCode(secret: string, code: string, now_ms: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const totp = new TOTP({ secret, period: PERIOD_S });
  const away = totp.validate({ token: code, timestamp: now_ms, window: WINDOW });
  return away === null ? undefined : totp.counter({ timestamp: now_ms }) + away;
}
