import { ApiError, type Client } from '@meshwork/client';
import type { NodeSession } from '@meshwork/contract';
import { nodeSessionShape } from '@meshwork/contract/answers';
import { PROOF_AUDIENCE } from '@meshwork/contract/vocabulary';
import type { KeyPair } from '../identity/keys.ts';
import { checkShape } from '../wire/answer-shape.ts';
import { signProof } from './proof.ts';

export interface Identity {
  readonly node: string;
  readonly key: KeyPair;
  /** The id of its mesh, for which its proofs are made. Absent: it was enrolled by version 0.1.0, which knew none. */
  readonly audience?: string | undefined;
}

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
  /**
   * Keeps the id of the mesh, before it is used for the first time: a node that has used it once is not believed without
   * it any more. It is not used when this rejects. Absent: it cannot be saved, and is not used.
   */
  readonly learned?: ((audience: string) => Promise<void>) | undefined;
}

/** The session of one node: proven when there is none, kept, and proven anew shortly before it ends. */
export class Session {
  readonly #options: SessionOptions;
  #held: HeldSession | undefined;
  #interval_s: number | undefined;
  #proven = false;
  #seenAs: string | null = null;
  #audience: string;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#audience = options.identity.audience ?? PROOF_AUDIENCE;
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
    const { now, random, seen } = this.#options;
    const from = now();
    const body = await this.#exchange(client, from, signal);
    this.#proven = true;
    this.#interval_s = body.interval_s;
    this.#seenAs = body.seen_as;
    seen?.(body.seen_as);
    await this.#learn(body.audience);
    return { bearer: body.bearer, renew_at_ms: from + lifeOf(body.expires, from) * (0.85 + 0.1 * random()) };
  }

  /**
   * A coordinator of version 0.1.0, beside newer ones or after a rollback, does not know the id of its mesh. It is asked
   * once more with the audience that it knows, before a refusal means that the node is gone.
   */
  async #exchange(client: Client, now_ms: number, signal: AbortSignal): Promise<NodeSession> {
    try {
      return await this.#send(client, now_ms, this.#audience, signal);
    } catch (error) {
      const isRefused = error instanceof ApiError && error.code === 'proof_invalid';
      if (!isRefused || this.#audience === PROOF_AUDIENCE) throw error;
      return await this.#send(client, now_ms, PROOF_AUDIENCE, signal).catch(() => {
        throw error; // the first one says more
      });
    }
  }

  /** One attempt: a proof is good for one exchange, so a second attempt needs another one. */
  async #send(client: Client, now_ms: number, audience: string, signal: AbortSignal): Promise<NodeSession> {
    const { node, key } = this.#options.identity;
    const proof = await signProof(node, key, now_ms, audience);
    const { body } = await client.call('agents.session', { body: { proof }, signal, retry: false });
    checkShape(nodeSessionShape, body, 'a proof');
    return body;
  }

  async #learn(audience: string | undefined): Promise<void> {
    const { learned } = this.#options;
    if (audience === undefined || audience === this.#audience || learned === undefined) return;
    try {
      await learned(audience);
      this.#audience = audience;
    } catch {
      // `learned` logs its own failure. The next session brings it again.
    }
  }
}

/** `expires` is by the coordinator's clock. One that seems to be over already is of a clock that is off: used at once. */
function lifeOf(expires: string, fromMs: number): number {
  return Math.max(0, Date.parse(expires) - fromMs);
}
