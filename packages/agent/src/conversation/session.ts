import type { Client } from '@meshwork/client';
import type { KeyPair } from '../identity/keys.ts';
import { signProof } from './proof.ts';

export interface Identity {
  readonly node: string;
  readonly key: KeyPair;
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
}

/** The session of one node: proven when there is none, kept, and proven anew shortly before it ends. */
export class Session {
  readonly #options: SessionOptions;
  #held: HeldSession | undefined;
  #interval_s: number | undefined;
  #proven = false;

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

  async bearer(client: Client, signal: AbortSignal): Promise<string> {
    const { now } = this.#options;
    if (this.#held === undefined || now() >= this.#held.renew_at_ms) this.#held = await this.#prove(client, signal);
    return this.#held.bearer;
  }

  /** The coordinator does not take it any more. */
  drop(): void {
    this.#held = undefined;
  }

  async #prove(client: Client, signal: AbortSignal): Promise<HeldSession> {
    const { identity, now, random } = this.#options;
    const from = now();
    const proof = await signProof(identity.node, identity.key, from);
    // One attempt: a proof is good for one exchange, so a second attempt needs another one.
    const { body } = await client.call('agents.session', { body: { proof }, signal, retry: false });
    this.#proven = true;
    this.#interval_s = body.interval_s;
    return { bearer: body.bearer, renew_at_ms: from + lifeOf(body.expires, from) * (0.85 + 0.1 * random()) };
  }
}

/** `expires` is by the coordinator's clock. One that seems to be over already is of a clock that is off: used at once. */
function lifeOf(expires: string, fromMs: number): number {
  return Math.max(0, Date.parse(expires) - fromMs);
}
