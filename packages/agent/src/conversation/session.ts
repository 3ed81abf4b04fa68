import type { Client } from '@meshwork/client';
import { NodeSession } from '@meshwork/contract';
import type { KeyPair } from '../identity/keys.ts';
import { checkShape, shapeOf } from './answer-shape.ts';
import { signProof } from './proof.ts';

export interface Identity {
  readonly node: string;
  readonly key: KeyPair;
}

const SESSION = shapeOf(NodeSession);

interface HeldSession {
  readonly bearer: string;
  /** By our own clock. */
  readonly renew_at_ms: number;
}

interface SessionOptions {
  readonly identity: Identity;
  readonly now: () => number;
  readonly random: () => number;
  /** Called each time a proof was accepted, with where the coordinator saw it come from. Null: it does not know. */
  readonly seen?: ((address: string | null) => void) | undefined;
}

/** The session of one node: proven when there is none, kept, and proven anew shortly before it ends. */
export class Session {
  readonly #options: SessionOptions;
  #held: HeldSession | undefined;
  #interval_s: number | undefined;
  #proven = false;
  #seenAs: string | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Whether the coordinator has ever accepted a proof: only then does a refused one mean that the node is gone. */
  get proven(): boolean {
    return this.#proven;
  }

  /** What the coordinator last said. Absent: it has not said anything yet. */
  get interval_s(): number | undefined {
    return this.#interval_s;
  }

  /** The address that the coordinator last saw this node come from. Null: it has not said, or does not know. */
  get seen_as(): string | null {
    return this.#seenAs;
  }

  async bearer(client: Client, signal: AbortSignal): Promise<string> {
    const { now } = this.#options;
    if (this.#held === undefined || now() >= this.#held.renew_at_ms) this.#held = await this.#prove(client, signal);
    return this.#held.bearer;
  }

  /** The coordinator does not take it any more, or the node may be somewhere else now: the next heartbeat proves anew. */
  drop(): void {
    this.#held = undefined;
  }

  async #prove(client: Client, signal: AbortSignal): Promise<HeldSession> {
    const { identity, now, random, seen } = this.#options;
    const from = now();
    const proof = await signProof(identity.node, identity.key, from);
    // One attempt: a proof is good for one exchange, so a second attempt needs another one.
    const { body } = await client.call('agents.session', { body: { proof }, signal, retry: false });
    checkShape(SESSION, body, 'a proof');
    this.#proven = true;
    this.#interval_s = body.interval_s;
    this.#seenAs = body.seen_as;
    seen?.(body.seen_as);
    return { bearer: body.bearer, renew_at_ms: from + lifeOf(body.expires, from) * (0.85 + 0.1 * random()) };
  }
}

/** `expires` is by the coordinator's clock. One that seems to be over already is of a clock that is off: used at once. */
function lifeOf(expires: string, fromMs: number): number {
  return Math.max(0, Date.parse(expires) - fromMs);
}
