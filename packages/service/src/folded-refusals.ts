import type { Clock } from '@meshwork/time';

/** How often something was refused, and from when to when. */
interface Span {
  readonly count: number;
  readonly first_ms: number;
  readonly last_ms: number;
  /** Whether it is the first of its kind, which has an entry of its own. */
  readonly is_first: boolean;
}

interface FoldingParts<R> {
  readonly clock: Clock;
  /** Repeats are written together once per window. */
  readonly window_ms: number;
  /** Who was refused, and what distinguishes this refusal from others of the same source. */
  kindOf(refusal: R): { readonly source: string; readonly what: string; readonly is_anonymous: boolean };
  readonly limits: {
    /** Kinds that one anonymous source has entries of its own for. */
    readonly per_source: number;
    /** The same for a caller that we can name and revoke. */
    readonly per_caller: number;
    /** Kinds of all anonymous sources together. */
    readonly anonymous: number;
  };
  /** One that stands for what a source did beyond the kinds it has; or, of too many sources, for what all of them did. */
  fold(refusal: R, of: 'one source' | 'many sources'): { readonly refusal: R; readonly what: string };
  write(refusal: R, span: Span): Promise<void>;
  failed(error: unknown): void;
  /** Called for each refusal that shares its entry with others. */
  folded(): void;
}

/** Refusals that share an entry. */
interface Kind<R> {
  readonly refusal: R;
  readonly source: string;
  readonly is_anonymous: boolean;
  /** Those that no entry stands for yet. */
  count: number;
  first_ms: number;
  last_ms: number;
  is_first: boolean;
}

/** The source of what many anonymous sources did. */
const ANYONE = 'anyone';

/**
 * Puts refusals into an audit trail: the first of a kind at once, its repeats as one entry per window with their count. A kind that
 * keeps repeating gets no new first entry, and the number of kinds is bounded, so that a flood costs a bounded number of entries
 * whatever it requests (docs/decisions/0040).
 */
export class FoldedRefusals<R> {
  readonly #parts: FoldingParts<R>;
  readonly #kinds = new Map<string, Kind<R>>();
  readonly #kindsOfSource = new Map<string, number>();
  #anonymousKinds = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #writing = new Set<Promise<void>>();

  constructor(parts: FoldingParts<R>) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#flush(), parts.window_ms).unref();
  }

  /** Never rejects: a refusal is answered as such even when it cannot be written down, and that is logged. */
  async record(refusal: R): Promise<void> {
    const now_ms = this.#parts.clock.now();
    const { source, what, is_anonymous } = this.#parts.kindOf(refusal);
    const key = keyOf(source, what);
    const known = this.#kinds.get(key);
    if (known === undefined && this.#hasRoomFor(source, is_anonymous)) {
      const kind = { refusal, source, is_anonymous, count: 1, first_ms: now_ms, last_ms: now_ms, is_first: true };
      await this.#write(this.#add(key, kind));
      return;
    }
    const kind = known ?? this.#foldedKind(refusal, source, is_anonymous);
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

  #hasRoomFor(source: string, is_anonymous: boolean): boolean {
    const { per_source, per_caller, anonymous } = this.#parts.limits;
    if (is_anonymous && this.#anonymousKinds >= anonymous) return false;
    return (this.#kindsOfSource.get(source) ?? 0) < (is_anonymous ? per_source : per_caller);
  }

  #foldedKind(refusal: R, source: string, is_anonymous: boolean): Kind<R> {
    const { per_source } = this.#parts.limits;
    const isFromMany = is_anonymous && (this.#kindsOfSource.get(source) ?? 0) < per_source;
    const own = isFromMany ? ANYONE : source;
    const folded = this.#parts.fold(refusal, isFromMany ? 'many sources' : 'one source');
    const key = keyOf(own, folded.what);
    const known = this.#kinds.get(key);
    if (known !== undefined) return known;
    const span = { count: 0, first_ms: 0, last_ms: 0, is_first: false };
    return this.#add(key, { refusal: folded.refusal, source: own, is_anonymous, ...span });
  }

  #add(key: string, kind: Kind<R>): Kind<R> {
    this.#kinds.set(key, kind);
    this.#kindsOfSource.set(kind.source, (this.#kindsOfSource.get(kind.source) ?? 0) + 1);
    if (kind.is_anonymous) this.#anonymousKinds++;
    return kind;
  }

  /** Kinds without a repeat in the window end: the next one of them is a first one again. */
  async #flush(): Promise<void> {
    const repeated: Kind<R>[] = [];
    for (const [key, kind] of this.#kinds) {
      if (kind.count > 0) repeated.push(kind);
      else this.#remove(key, kind);
    }
    await Promise.all(repeated.map((kind) => this.#write(kind)));
  }

  #remove(key: string, { source, is_anonymous }: Kind<R>): void {
    this.#kinds.delete(key);
    const left = (this.#kindsOfSource.get(source) ?? 1) - 1;
    if (left === 0) this.#kindsOfSource.delete(source);
    else this.#kindsOfSource.set(source, left);
    if (is_anonymous) this.#anonymousKinds--;
  }

  async #write(kind: Kind<R>): Promise<void> {
    const writing = this.#commit(kind);
    this.#writing.add(writing);
    await writing;
    this.#writing.delete(writing);
  }

  async #commit(kind: Kind<R>): Promise<void> {
    const { refusal, count, first_ms, last_ms, is_first } = kind;
    kind.count = 0; // those that come from here on are of the next entry
    kind.is_first = false;
    try {
      await this.#parts.write(refusal, { count, first_ms, last_ms, is_first });
    } catch (error) {
      this.#parts.failed(error);
      // The next flush tries again.
      if (kind.count === 0) kind.last_ms = last_ms;
      kind.first_ms = first_ms;
      kind.count += count;
      kind.is_first ||= is_first;
    }
  }
}

function keyOf(source: string, what: string): string {
  return `${source}\n${what}`;
}
