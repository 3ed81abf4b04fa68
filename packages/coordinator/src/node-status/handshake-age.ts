import type { NodeStatus, SeenLink } from './node-status.ts';

/** What is left of a skew after it was taken into account. */
const FUTURE_MS = 5000;

/**
 * How long ago a node last shook hands over a link. It says when by its own clock, and how far that is off is known.
 * Null: there was none, or it lies in the future all the same: a link would look alive until that is reached.
 */
export function handshakeAge_s(
  { clock_skew_s = 0 }: Pick<NodeStatus, 'clock_skew_s'>,
  { handshake_at }: Pick<SeenLink, 'handshake_at'>,
  now_ms: number,
): number | null {
  if (handshake_at == null) return null;
  const at_ms = Date.parse(handshake_at) - clock_skew_s * 1000;
  return at_ms <= now_ms + FUTURE_MS ? Math.max(0, Math.round((now_ms - at_ms) / 1000)) : null;
}
