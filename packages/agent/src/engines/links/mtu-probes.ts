import type { Carrier } from '../../carrier/carrier.ts';
import { TokenBucket } from '../../carrier/token-bucket.ts';
import { PathMtu } from './path-mtu.ts';

interface MtuProbesOptions {
  readonly carrier: Pick<Carrier, 'ask' | 'events'>;
  /** In the mesh. */
  readonly addressOf: (peer: string) => string | undefined;
  readonly found: (peer: string, mtu: number) => void;
}

interface Probed {
  readonly path: string;
  readonly mtu: PathMtu;
  /** When it was found out, or given up. */
  over_ms?: number;
}

interface Pending {
  readonly peer: string;
  readonly mtu: PathMtu;
  readonly size: number;
  readonly at_ms: number;
}

/** Of IPv4 and UDP around a question. */
const HEADERS = 28;
/** Ours: ten questions each at most. A thousand links that change at once are through within ten seconds. */
const ROUNDS = { per_s: 100, at_once: 100 } as const;
/** Ours: what lies below a path changes without a word, and in use it is asked again. */
const AGAIN_MS = 600_000;
/** Ours: what comes later than this is of no use. */
const PENDING_MS = 10_000;

/** How large packets get to the peers of links in use, by questions inside the tunnel. Works when it is called, and has no timer. */
export class MtuProbes {
  readonly #options: MtuProbesOptions;
  readonly #probed = new Map<string, Probed>();
  readonly #budget = new TokenBucket(ROUNDS.per_s, ROUNDS.at_once);
  /** By transaction, in the order in which they were asked. */
  readonly #pending = new Map<string, Pending>();

  constructor(options: MtuProbesOptions) {
    this.#options = options;
    // An answer may stand in the same read as the number of its question, whose `ask` has then not gone on yet.
    options.carrier.events.on('echoed', ({ transaction, rtt_ms }) =>
      setImmediate(() => this.#answered(transaction, rtt_ms)),
    );
  }

  /** Undefined: not known. */
  of(peer: string): number | undefined {
    return this.#probed.get(peer)?.mtu.mtu;
  }

  /** A link in use goes by this path. Undefined: by more than one, or it is in doubt. */
  look(peer: string, path: string | undefined, now_ms: number): void {
    if (path === undefined) return;
    const probed = this.#probed.get(peer);
    const isOld = probed?.over_ms !== undefined && now_ms - probed.over_ms > AGAIN_MS;
    if (probed?.path !== path || isOld) {
      this.#probed.set(peer, { path, mtu: new PathMtu() }); // asked from the next look on, if it is still the same
      return;
    }
    if (probed.over_ms !== undefined) return;
    const sizes = probed.mtu.due(now_ms);
    if (sizes.length > 0 && this.#budget.take(now_ms)) this.#ask(peer, probed.mtu, { sizes, now_ms });
    if (probed.mtu.isOver) this.#over(peer, probed, now_ms);
  }

  /** It is not in use any more. */
  forget(peer: string): void {
    this.#probed.delete(peer);
  }

  /** The network of this node changed, and with it all paths, also those that look the same. */
  forgetAll(): void {
    this.#probed.clear();
  }

  #over(peer: string, probed: Probed, now_ms: number): void {
    probed.over_ms = now_ms;
    this.#report(peer, probed.mtu);
  }

  #ask(
    peer: string,
    mtu: PathMtu,
    { sizes, now_ms }: { readonly sizes: readonly number[]; readonly now_ms: number },
  ): void {
    const { carrier, addressOf } = this.#options;
    const to = addressOf(peer);
    if (to === undefined) return;
    mtu.asked(now_ms);
    for (const [old, { at_ms }] of this.#pending) {
      if (now_ms - at_ms < PENDING_MS) break;
      this.#pending.delete(old);
    }
    for (const size of sizes) {
      carrier.ask('echo', { to, bytes: size - HEADERS }).then(
        ({ transaction }) => this.#pending.set(transaction, { peer, mtu, size, at_ms: now_ms }),
        () => undefined, // it is as if it was lost: it is asked again
      );
    }
  }

  #answered(transaction: string, rtt_ms: number): void {
    const pending = this.#pending.get(transaction);
    if (pending === undefined) return; // another's question
    this.#pending.delete(transaction);
    pending.mtu.answered(pending.size, rtt_ms);
    if (this.#probed.get(pending.peer)?.mtu === pending.mtu) this.#report(pending.peer, pending.mtu);
  }

  #report(peer: string, { mtu }: PathMtu): void {
    if (mtu !== undefined) this.#options.found(peer, mtu);
  }
}
