import type { Link, NodeState } from '@meshwork/contract';
import { handshakeAge_s } from '../../node-status/handshake-age.ts';
import type { NodeStatus, SeenLink } from '../../node-status/node-status.ts';

/** WireGuard makes a new handshake every two minutes while there is traffic, and drops a session after three. */
const FRESH_HANDSHAKE_S = 180;

/** One end of a link, and what it says of it. */
export interface Side {
  readonly state: NodeState;
  readonly status: NodeStatus;
  /** Undefined: it has not said anything. */
  readonly link: SeenLink | undefined;
}

/** How a link is, from what both ends say. */
export function linkStanding(a: Side, b: Side, now_ms: number): Pick<Link, 'state' | 'path'> {
  const state = stateOf(a, b, now_ms);
  return { state, path: state === 'idle' ? 'idle' : pathOf(a.link, b.link) };
}

/**
 * Never `up` by the report of a node that is overdue: the report is too old. A link that neither end uses is `idle`, however
 * fresh its last handshake; one that an end still uses is what the handshakes say.
 */
function stateOf(a: Side, b: Side, now_ms: number): Link['state'] {
  if (isOverdue(a) || isOverdue(b) || a.link === undefined || b.link === undefined) return 'unknown';
  const ends = [a.link, b.link];
  const idle = ends.filter(({ path }) => path === 'idle').length;
  if (idle === 2) return 'idle';
  const fresh = Number(isFresh(a.status, a.link, now_ms)) + Number(isFresh(b.status, b.link, now_ms));
  if (fresh > 0) return fresh === 2 ? 'up' : 'half';
  return idle === 1 && ends.every(({ path }) => path !== 'none') ? 'idle' : 'down';
}

function isOverdue({ state }: Side): boolean {
  return state === 'stale' || state === 'unreachable';
}

function isFresh(status: NodeStatus, link: SeenLink, now_ms: number): boolean {
  return (handshakeAge_s(status, link, now_ms) ?? Infinity) <= FRESH_HANDSHAKE_S;
}

function pathOf(a: SeenLink | undefined, b: SeenLink | undefined): Link['path'] {
  if (a === undefined || b === undefined) return a?.path ?? b?.path ?? 'unknown';
  if (a.path === 'idle') return b.path; // of the end that uses it
  return a.path === b.path || b.path === 'idle' ? a.path : 'mixed';
}
