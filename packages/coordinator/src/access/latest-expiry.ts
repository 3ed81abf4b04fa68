import { type ActorRef, MeshError, OUTLIVE, utc } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';
import { heldPermissions } from './held-permissions.ts';
import { ancestryOf, newestOf } from './lineage.ts';

/** Until when a token can last that something else makes or made. */
export interface Bound {
  readonly until_ms: number;
  /** The token that it comes from: the newest of its line. */
  readonly maker: Stored<'token'>;
}

/**
 * A token lasts no longer than what made it. Undefined: nothing bounds it, because a person or the coordinator makes it, or a
 * token that has `tokens:outlive`. A maker that was rotated is as good as its newest successor; one that is over bounds
 * by its end.
 */
export function boundBy(view: View, maker: ActorRef, now_ms: number): Bound | undefined {
  const token = maker.kind === 'token' && maker.id !== null ? view.get('token', maker.id) : undefined;
  return token === undefined ? undefined : boundOfLine(view, newestOf(view, token), now_ms);
}

/** For a token that rotates itself. */
export function boundOf(view: View, token: Stored<'token'>, now_ms: number): Bound | undefined {
  const [parent] = ancestryOf(view, token).tokens;
  return parent === undefined ? undefined : boundOfLine(view, parent, now_ms);
}

function boundOfLine(view: View, newest: Stored<'token'>, now_ms: number): Bound | undefined {
  if (heldPermissions(view, newest, now_ms).has(OUTLIVE)) return undefined;
  const { expires, revoked_at } = newest.body;
  const until_ms = Math.min(
    Date.parse(expires),
    revoked_at === null ? Number.POSITIVE_INFINITY : Date.parse(revoked_at),
  );
  return { until_ms, maker: newest };
}

/** Throws when nothing is left of what made it. */
export function ensureTimeLeft(bound: Bound | undefined, now_ms: number): void {
  if (bound === undefined || bound.until_ms > now_ms) return;
  throw new MeshError('token_maker_ended', `${boundText(bound)}, so it cannot be renewed.`);
}

export function boundText({ until_ms, maker: { id, body } }: Bound): string {
  const ends = utc(until_ms) === body.revoked_at ? 'was revoked' : 'expires';
  return `The token "${body.name}" (${id}), which made it, ${ends} at ${utc(until_ms)}`;
}
