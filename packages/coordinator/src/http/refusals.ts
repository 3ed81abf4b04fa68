import { type AuditTarget, type ErrorCode, type Scope, WHOLE_MESH } from '@meshwork/contract';
import { householdOf } from '@meshwork/service';
import type { Cause } from '../mesh/audit-entry.ts';
import type { Mesh } from '../mesh/mesh.ts';

/** Our numbers, see docs/decisions/0040. Repeats are written together once per window. */
const WINDOW_MS = 60_000;
/** Kinds of refusals that one anonymous source has entries of its own for; the rest of its refusals share one per code. */
const KINDS_PER_SOURCE = 8;
/** The same for a token or a node, which we can name and revoke. */
const KINDS_PER_CALLER = 32;
/** Kinds of all anonymous sources together. Beyond it they share one entry per code, under no address. */
const ANONYMOUS_KINDS = 100;

/** The action of entries that stand for refusals of several operations. */
const FOLDED_ACTION = 'requests.refused';

interface Refusal {
  readonly cause: Cause;
  readonly code: ErrorCode | 'outside_scope';
  readonly target: AuditTarget | null;
  readonly detail: string;
}

/** Refusals that share an entry. */
interface Kind {
  readonly refusal: Refusal;
  readonly source: string;
  /** Those that no entry stands for yet. */
  count: number;
  first_ms: number;
  last_ms: number;
}

interface RefusalParts {
  readonly mesh: Mesh;
  readonly failed: (error: unknown) => void;
  /** Called for each refusal that shares its entry with others. */
  readonly folded: () => void;
}

/**
 * Puts refusals into the audit trail: the first of a kind at once, its repeats as one entry per window with their count.
 * A kind is a source (a token, a node, or an address prefix), an operation and a code. What a refused caller names in a
 * path makes no kind, except where it was found and lies outside the scope. A kind that keeps repeating gets no new first
 * entry, and the number of kinds is bounded, so that a flood costs a bounded number of entries whatever it asks for.
 */
export class Refusals {
  readonly #parts: RefusalParts;
  readonly #kinds = new Map<string, Kind>();
  readonly #kindsOfSource = new Map<string, number>();
  #anonymousKinds = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();

  constructor(parts: RefusalParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#flush(), WINDOW_MS).unref();
  }

  /** Never rejects: a refusal is answered as such even when it cannot be written down, and that is logged. */
  async record(refusal: Refusal): Promise<void> {
    const now_ms = this.#parts.mesh.clock.now();
    const source = sourceOf(refusal.cause);
    const key = keyOf(source, refusal);
    const known = this.#kinds.get(key);
    if (known === undefined && this.#hasRoomFor(source, refusal)) {
      await this.#write(this.#add(key, { refusal, source, count: 1, first_ms: now_ms, last_ms: now_ms }));
      return;
    }
    const kind = known ?? this.#foldedKind(source, refusal, now_ms);
    if (kind.count++ === 0) kind.first_ms = now_ms;
    kind.last_ms = now_ms;
    this.#parts.folded();
  }

  /** Writes what was counted. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#flush();
    await Promise.all(this.#writing);
  }

  #hasRoomFor(source: string, { cause }: Refusal): boolean {
    const isAnonymous = cause.actor.kind === 'anonymous';
    if (isAnonymous && this.#anonymousKinds >= ANONYMOUS_KINDS) return false;
    return (this.#kindsOfSource.get(source) ?? 0) < (isAnonymous ? KINDS_PER_SOURCE : KINDS_PER_CALLER);
  }

  /** What the source did beyond the kinds it has; or, of too many sources, what all of them did. */
  #foldedKind(source: string, refusal: Refusal, now_ms: number): Kind {
    const { actor, request } = refusal.cause;
    const isAnonymous = actor.kind === 'anonymous';
    const own = isAnonymous && (this.#kindsOfSource.get(source) ?? 0) < KINDS_PER_SOURCE ? 'anyone' : source;
    const key = [own, FOLDED_ACTION, refusal.code].join('\n');
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const isFromMany = own !== source;
    const cause = { actor, action: FOLDED_ACTION, ...(isFromMany || request === undefined ? {} : { request }) };
    const detail = isFromMany ? 'From many addresses.' : 'Of several operations.';
    const folded = { cause, code: refusal.code, target: null, detail };
    return this.#add(key, { refusal: folded, source: own, count: 0, first_ms: now_ms, last_ms: now_ms });
  }

  #add(key: string, kind: Kind): Kind {
    this.#kinds.set(key, kind);
    this.#kindsOfSource.set(kind.source, (this.#kindsOfSource.get(kind.source) ?? 0) + 1);
    if (kind.refusal.cause.actor.kind === 'anonymous') this.#anonymousKinds++;
    return kind;
  }

  /** Kinds without a repeat in the window end: the next one of them is a first one again. */
  async #flush(): Promise<void> {
    const repeated: Kind[] = [];
    for (const [key, kind] of this.#kinds) {
      if (kind.count > 0) repeated.push(kind);
      else this.#remove(key, kind);
    }
    await Promise.all(repeated.map((kind) => this.#write(kind)));
  }

  #remove(key: string, { source, refusal }: Kind): void {
    this.#kinds.delete(key);
    const left = (this.#kindsOfSource.get(source) ?? 1) - 1;
    if (left === 0) this.#kindsOfSource.delete(source);
    else this.#kindsOfSource.set(source, left);
    if (refusal.cause.actor.kind === 'anonymous') this.#anonymousKinds--;
  }

  async #write(kind: Kind): Promise<void> {
    const writing = this.#commit(kind);
    this.#writing.add(writing);
    await writing;
    this.#writing.delete(writing);
  }

  async #commit(kind: Kind): Promise<void> {
    const { refusal, count, first_ms, last_ms } = kind;
    const { cause, code, target, detail } = refusal;
    kind.count = 0; // those that come from here on are of the next entry
    const span =
      count === 1 ? {} : { first_at: new Date(first_ms).toISOString(), last_at: new Date(last_ms).toISOString() };
    try {
      await this.#parts.mesh.transact(cause, (tx) =>
        tx.record({ target, scope: scopeOf(cause, code), detail, outcome: 'refused', code, count, ...span }),
      );
    } catch (error) {
      this.#parts.failed(error);
      // The next flush tries again.
      if (kind.count === 0) kind.last_ms = last_ms;
      kind.first_ms = first_ms;
      kind.count += count;
    }
  }
}

/** A token or a node by its id; anyone else by where they are, for an IPv6 host has a whole /64 to choose from. */
function sourceOf({ actor, request }: Cause): string {
  return actor.kind === 'token' || actor.kind === 'node' ? actor.id : `address ${householdOf(request?.address ?? '')}`;
}

function keyOf(source: string, { cause, code, target }: Refusal): string {
  return [source, cause.action, code, code === 'outside_scope' ? target?.id : ''].join('\n');
}

/**
 * Who may read the entry. That something lies outside the caller's scope is not for the caller to read, nor for others
 * of its scope: it would tell them that the thing exists.
 */
function scopeOf({ actor }: Cause, code: Refusal['code']): Scope {
  return actor.kind === 'token' && code !== 'outside_scope' ? actor.scope : WHOLE_MESH;
}
