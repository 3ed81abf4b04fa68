import { randomUUID } from 'node:crypto';
import type { Client } from '@meshwork/client';
import type { HeartbeatReply } from '@meshwork/contract';
import { heartbeatReplyShape } from '@meshwork/contract/answers';
import type { SleepingClock } from '@meshwork/time';
import { type Wake, WOKEN } from '../host/wake.ts';
import { checkShape } from '../wire/answer-shape.ts';
import { unknownMembersIn, withoutMembers } from '../wire/unknown-members.ts';
import type { Shipment } from './reporter.ts';

/** Ours: how much longer than it was asked to wait a coordinator may take before it counts as silent. */
const SILENCE_S = 15;

interface SenderOptions {
  readonly node: string;
  readonly clock: SleepingClock;
  /** Rung when there is something to report. */
  readonly news: Wake;
  /** An overtaken heartbeat was answered. */
  readonly superseded: (shipment: Shipment, reply: HeartbeatReply) => void;
}

interface Heartbeat {
  readonly client: Client;
  readonly token: string;
  /** What the agent holds. */
  readonly revision: number;
  readonly shipment: Shipment;
  /** How long the coordinator may wait for news before it answers. */
  readonly wait_s: number;
}

/**
 * Sends heartbeats, each of which waits at the coordinator for news. When there is news on this side, the next one goes out
 * beside it, and the coordinator lets the older one go.
 */
export class HeartbeatSender {
  readonly #options: SenderOptions;
  readonly #boot_id = randomUUID();
  #seq = 0;
  /** A heartbeat that the next one has overtaken, until it is let go. */
  #overtaken: Promise<void> | undefined;
  /** Members of a heartbeat that the coordinator does not know. */
  #unknown: readonly string[] = [];

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send({ client, token, revision, shipment, wait_s }: Heartbeat, signal: AbortSignal): Promise<HeartbeatReply> {
    const { node, clock } = this.#options;
    this.#seq += 1;
    const { body } = await client.call('agents.heartbeat', {
      params: { id: node },
      query: { wait: wait_s },
      body: {
        node,
        boot_id: this.#boot_id,
        seq: this.#seq,
        revision,
        sent_at: new Date(clock.now()).toISOString(),
        ...withoutMembers(shipment.payload, this.#unknown),
      },
      token,
      signal,
      timeout_ms: (wait_s + SILENCE_S) * 1000,
      retry: false, // a heartbeat is never sent twice: the next one repeats its report, with a higher `seq`
    });
    checkShape(heartbeatReplyShape, body, 'a heartbeat'); // before any of it is taken in: what is held is whole at all times
    return body;
  }

  /**
   * Absent: there is news, and the next heartbeat should go out. The answer to this one does not matter then, but for its
   * probes: the next one names the same revision, so its answer contains everything else that this one would have.
   */
  async answerTo(call: Promise<HeartbeatReply>, shipment: Shipment): Promise<HeartbeatReply | undefined> {
    // Two at a time are enough: when the coordinator does not let go of the older one, news has to wait.
    const overtaken = this.#overtaken;
    if (overtaken !== undefined) {
      const first = await Promise.race([call, overtaken]);
      if (first !== undefined) return first;
    }
    const outcome = await this.#options.news.race(call);
    if (outcome !== WOKEN) return outcome;
    this.#overtaken = this.#release(call, shipment);
    return undefined;
  }

  /** Leaves out from now on what the coordinator refused as unknown. Returns those members. Empty: it is another failure. */
  leaveOut(error: unknown): readonly string[] {
    const unknown = unknownMembersIn(error).filter((member) => !this.#unknown.includes(member));
    this.#unknown = [...this.#unknown, ...unknown];
    return unknown;
  }

  /** Sends every member again: the coordinator may have been upgraded. Returns whether any was left out. */
  includeAll(): boolean {
    const isLess = this.#unknown.length > 0;
    this.#unknown = [];
    return isLess;
  }

  /** Lets an overtaken heartbeat end in its own time. If it is answered, its report was received. */
  async #release(call: Promise<HeartbeatReply>, shipment: Shipment): Promise<void> {
    try {
      const reply = await call;
      this.#options.superseded(shipment, reply);
    } catch {
      // The next one meets the same trouble, if it lasts, and that one is handled.
    } finally {
      this.#overtaken = undefined;
    }
  }
}
