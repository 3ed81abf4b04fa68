import type { PlacedPeer } from './peer-places.ts';

/** WireGuard's own: a session that was not renewed for so long is used no more. */
const SESSION_MS = 180_000;

/**
 * Whether packets go both ways: then the endpoint is right, also one that the coordinator did not send. A handshake in the
 * future is from before the clock was set back, and says nothing.
 */
export function isInSession({ handshake_ms }: Pick<PlacedPeer, 'handshake_ms'>, now_ms: number): boolean {
  return handshake_ms !== null && Math.abs(now_ms - handshake_ms) < SESSION_MS;
}
