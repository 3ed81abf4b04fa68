/**
 * Comparing secrets, in a time that tells nothing about them. This is the only place that may use `timingSafeEqual` (a lint rule says
 * so): it throws for inputs that differ in bytes, and texts of one length often do.
 */
import { hash, timingSafeEqual } from 'node:crypto';

/** Whether the given text or bytes are the secret. Any length will do: both sides are hashed first. */
export function isSameSecret(given: string | Uint8Array, right: string | Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', right, 'buffer'));
}

/** The same without hashing, for digests and MACs whose length is no secret, where a request must cost as little as it can. */
export function isSameBytes(given: Uint8Array, right: Uint8Array): boolean {
  return given.length === right.length && timingSafeEqual(given, right);
}
