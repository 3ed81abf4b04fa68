import type { NodeId } from '@meshwork/contract';

/** Answers that are given in one go before others get their turn. */
const AT_ONCE = 64;
/** Changes within this time reach a node with one answer. */
const GATHER_MS = 5;

interface Waiter {
  /** Gives the answer. Returns false when there turned out to be nothing to say, and it goes on waiting. */
  readonly answer: (over: boolean) => boolean;
  readonly timer: NodeJS.Timeout;
}

/**
 * Heartbeats that wait for something to change. One that is woken is answered soon, in rounds: what changes meanwhile
 * is gathered, and a round that takes long is followed by as long a pause, so that a mesh in turmoil still serves
 * others.
 */
export class Waiting {
  readonly #waiters = new Map<NodeId, Waiter>();
  #woken = new Set<NodeId>();
  #round: NodeJS.Timeout | undefined;
  #closed = false;

  get size(): number {
    return this.#waiters.size;
  }

  /** Whether all heartbeats are being answered because the coordinator closes. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether a heartbeat of the node waits here. */
  has(node: NodeId): boolean {
    return this.#waiters.has(node);
  }

  /** Waits for `wake`, at most for a time. A waiter of the same node that is still there is answered now: it is late. */
  wait(node: NodeId, ms: number, answer: (over: boolean) => boolean): void {
    this.end(node);
    if (this.#closed) {
      answer(true);
      return;
    }
    const timer = setTimeout(() => this.end(node), ms);
    this.#waiters.set(node, { answer, timer });
  }

  wake(node: NodeId): void {
    if (!this.#waiters.has(node)) return;
    this.#woken.add(node);
    this.#round ??= setTimeout(() => void this.#answerRound(), GATHER_MS);
  }

  /** Answers now, whatever there is to say. */
  end(node: NodeId): void {
    const waiter = this.#take(node);
    waiter?.answer(true);
  }

  /** The connection is gone: no answer can be sent. Returns whether one was still to come. */
  drop(node: NodeId, answer: Waiter['answer']): boolean {
    if (this.#waiters.get(node)?.answer !== answer) return false;
    this.#take(node);
    return true;
  }

  /** Answers all of them, also those that arrive only now, with a body or a write that took longer. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#round);
    this.#round = undefined;
    for (const node of [...this.#waiters.keys()]) this.end(node);
  }

  #take(node: NodeId): Waiter | undefined {
    const waiter = this.#waiters.get(node);
    if (waiter !== undefined) {
      clearTimeout(waiter.timer);
      this.#waiters.delete(node);
    }
    return waiter;
  }

  async #answerRound(): Promise<void> {
    const startedAt = performance.now();
    const woken = this.#woken;
    this.#woken = new Set();
    let count = 0;
    for (const node of woken) {
      const waiter = this.#waiters.get(node);
      if (waiter?.answer(false) === true) this.#take(node);
      if (++count % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const pause = Math.max(GATHER_MS, performance.now() - startedAt);
    this.#round = this.#woken.size === 0 ? undefined : setTimeout(() => void this.#answerRound(), pause);
  }
}
