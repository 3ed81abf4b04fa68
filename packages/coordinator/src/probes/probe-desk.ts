/**
 * Probes: what nodes are asked to try or to look at right now. A probe goes out with the next answer to a heartbeat of its node,
 * which mostly waits for one, and its result comes with the node's next heartbeat. Nothing of it is kept.
 *
 * The node's heartbeat may wait at another coordinator. Then the probe is passed on as a message, and so is its result.
 */
import { randomBytes } from 'node:crypto';
import { MAX_PROBES, type NodeId, type Probe, type ProbeResult } from '@meshwork/contract';
import type { ProbeMessages } from './probe-messages.ts';

type ProbeContent = Omit<Probe, 'id'>;

/** Heartbeats that wait here. */
interface WaitingNodes {
  has(node: NodeId): boolean;
  wake(node: NodeId): void;
}

interface Waiting {
  readonly probe: Probe;
  readonly timer: NodeJS.Timeout;
}

interface Open {
  readonly node: NodeId;
  /** Takes one result. Returns whether another is to come. */
  readonly take: (result: ProbeResult) => boolean;
  readonly timer: NodeJS.Timeout;
}

export class ProbeDesk {
  readonly #waiting: WaitingNodes;
  readonly #messages: ProbeMessages;
  /** By node, what its next answer brings. */
  readonly #outgoing = new Map<NodeId, Map<string, Waiting>>();
  /** By id, what this coordinator asked. */
  readonly #open = new Map<string, Open>();

  constructor(waiting: WaitingNodes, messages: ProbeMessages) {
    this.#waiting = waiting;
    this.#messages = messages;
    messages.listen({
      probe: (node, probe, within_ms) => this.#enqueue(node, probe, within_ms),
      result: (node, result) => void this.#resolve(node, result),
    });
  }

  /** Undefined: there was no answer in time. */
  ask(node: NodeId, content: ProbeContent, within_ms: number): Promise<ProbeResult | undefined> {
    const { promise, resolve } = Promise.withResolvers<ProbeResult | undefined>();
    const take = (result: ProbeResult) => {
      resolve(result);
      return false;
    };
    this.#send(node, content, { within_ms, take, over: () => resolve(undefined) });
    return promise;
  }

  /** Like `ask`, for a watch: `begun` says whether the node watches, `ended` what it saw. */
  watch(node: NodeId, content: ProbeContent, within_ms: number): Watched {
    const begun = Promise.withResolvers<ProbeResult | undefined>();
    const ended = Promise.withResolvers<ProbeResult | undefined>();
    const take = (result: ProbeResult) => {
      begun.resolve(result);
      if (result.watch?.state === 'begun') return true;
      ended.resolve(result);
      return false;
    };
    const over = () => {
      begun.resolve(undefined);
      ended.resolve(undefined);
    };
    this.#send(node, content, { within_ms, take, over });
    return { begun: begun.promise, ended: ended.promise };
  }

  #send(
    node: NodeId,
    content: ProbeContent,
    { within_ms, take, over }: { readonly within_ms: number; readonly take: Open['take']; readonly over: () => void },
  ): void {
    const probe: Probe = { id: randomBytes(12).toString('base64url'), ...content };
    this.#enqueue(node, probe, within_ms); // first: what is over is not handed out any more
    const timer = setTimeout(() => {
      this.#open.delete(probe.id);
      over();
    }, within_ms);
    this.#open.set(probe.id, { node, take, timer });
    if (!this.#waiting.has(node)) this.#messages.passProbe(node, probe, within_ms);
  }

  /** Whether the next answer to the node has something to bring. */
  pending(node: NodeId): boolean {
    return this.#outgoing.has(node);
  }

  /** What the answer that is being written brings. Each probe goes out once. */
  take(node: NodeId): readonly Probe[] {
    const outgoing = this.#outgoing.get(node);
    if (outgoing === undefined) return [];
    this.#outgoing.delete(node);
    for (const { timer } of outgoing.values()) clearTimeout(timer);
    return Array.from(outgoing.values(), ({ probe }) => probe);
  }

  /** What a heartbeat brings. Results of probes of another coordinator are passed on, those that are too late are dropped. */
  receive(node: NodeId, results: readonly ProbeResult[]): void {
    for (const result of results) if (!this.#resolve(node, result)) this.#messages.passResult(node, result);
  }

  close(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    for (const outgoing of this.#outgoing.values()) for (const { timer } of outgoing.values()) clearTimeout(timer);
    this.#open.clear();
    this.#outgoing.clear();
  }

  #enqueue(node: NodeId, probe: Probe, within_ms: number): void {
    const outgoing = this.#outgoing.get(node) ?? new Map<string, Waiting>();
    if (outgoing.size >= MAX_PROBES) return; // it will not be answered in time, which is the truth
    const timer = setTimeout(() => this.#drop(node, probe.id), within_ms);
    outgoing.set(probe.id, { probe, timer });
    this.#outgoing.set(node, outgoing);
    this.#waiting.wake(node);
  }

  #drop(node: NodeId, id: string): void {
    const outgoing = this.#outgoing.get(node);
    if (outgoing?.delete(id) === true && outgoing.size === 0) this.#outgoing.delete(node);
  }

  /** A node answers for itself only. */
  #resolve(node: NodeId, result: ProbeResult): boolean {
    const open = this.#open.get(result.id);
    if (open === undefined || open.node !== node) return false;
    if (open.take(result)) return true;
    clearTimeout(open.timer);
    this.#open.delete(result.id);
    return true;
  }
}

export interface Watched {
  readonly begun: Promise<ProbeResult | undefined>;
  readonly ended: Promise<ProbeResult | undefined>;
}
