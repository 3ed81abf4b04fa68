/**
 * Where a token comes from. `created_by` names who made it or, after a rotation, who rotated it: who has seen its secret. A
 * token and its rotations are one line; a token that rotates itself stays what it was, a child of what made its line. The rules
 * that follow from lineage stand in `held-permissions.ts` (rank) and `latest-expiry.ts` (expiry); docs/decisions/0035.
 */
import type { ActorRef } from '@meshwork/contract';
import type { Stored, View } from '../mesh/model.ts';

type Token = Stored<'token'>;

/** The last one that a token was rotated to; the token itself where it was not. */
export function newestOf(view: View, token: Token): Token {
  let newest = token;
  for (;;) {
    const { rotated_to } = newest.body;
    const successor = rotated_to === null ? undefined : view.get('token', rotated_to);
    if (successor === undefined) return newest;
    newest = successor;
  }
}

/** The token and those it replaced, newest first. */
export function* withPredecessors(view: View, token: Token): Generator<Token> {
  for (let one: Token | undefined = token; one !== undefined; ) {
    yield one;
    const { rotated_from }: Token['body'] = one.body;
    one = rotated_from === null ? undefined : view.get('token', rotated_from);
  }
}

/** Every id that the credential has had and has: to whatever uses it these are one. */
export function lineOf(view: View, token: Token): ReadonlySet<string> {
  return new Set([...withPredecessors(view, newestOf(view, token))].map(({ id }) => id));
}

interface Ancestry {
  /** The lines above it, nearest first, each by its newest token: what bounds what they made. */
  readonly tokens: readonly Token[];
  /** Who stands at the beginning: a person, or the coordinator itself. */
  readonly origin: ActorRef;
  /** The role that the person had when they made the first of them. Absent: no person, or a token of an older version. */
  readonly origin_role: string | undefined;
}

/** What made a token is older than it, so following it ends. */
export function ancestryOf(view: View, token: Token): Ancestry {
  const seen = new Set(lineOf(view, token));
  const tokens: Token[] = [];
  for (let made = token; ; ) {
    const { created_by: origin, made_as } = made.body;
    const maker = origin.kind === 'token' && origin.id !== null ? view.get('token', origin.id) : undefined;
    if (maker === undefined) return { tokens, origin, origin_role: made_as };
    if (!seen.has(maker.id)) {
      for (const id of lineOf(view, maker)) seen.add(id);
      tokens.push(newestOf(view, maker));
    }
    made = maker;
  }
}

/** Whether a person or a token made it, themselves or through what they made. */
export function descendsFrom(view: View, token: Token, maker: string): boolean {
  const { tokens, origin } = ancestryOf(view, token);
  return origin.id === maker || tokens.some((one) => lineOf(view, one).has(maker));
}

/** Whether a person or a token made it themselves. */
export function isChildOf(view: View, token: Token, maker: string): boolean {
  const { tokens, origin } = ancestryOf(view, token);
  const [parent] = tokens;
  return parent === undefined ? origin.id === maker : lineOf(view, parent).has(maker);
}

/**
 * All that was made with a token or with one that it replaced, nearest first. Not with its successor, which is a credential of
 * its own until it is ended too.
 */
export function descendantsOf(view: View, token: Token): readonly Token[] {
  const children = new Map<string, Token[]>();
  for (const one of view.all('token')) {
    const { kind, id } = one.body.created_by;
    if (kind === 'token' && id !== null) children.set(id, [...(children.get(id) ?? []), one]);
  }
  const own = lineOf(view, token);
  const found = new Map<string, Token>();
  const waiting = [...withPredecessors(view, token)];
  for (let maker = waiting.shift(); maker !== undefined; maker = waiting.shift()) {
    for (const child of children.get(maker.id) ?? []) {
      if (own.has(child.id) || found.has(child.id)) continue;
      found.set(child.id, child);
      waiting.push(child);
    }
  }
  return [...found.values()];
}
