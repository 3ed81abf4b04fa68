/** The last events, newest first. A burst of them notifies subscribers once. */
import type { EventRecord } from '@meshwork/contract';

const KEPT = 500;
const TOGETHER_MS = 100;

export class EventLog {
  #events: readonly EventRecord[] = [];
  #received: EventRecord[] = [];
  readonly #listeners = new Set<() => void>();

  get newestFirst(): readonly EventRecord[] {
    return this.#events;
  }

  add(event: EventRecord): void {
    this.#received.push(event);
    if (this.#received.length === 1) setTimeout(() => this.#show(), TOGETHER_MS);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #show(): void {
    this.#events = [...this.#received.reverse(), ...this.#events].slice(0, KEPT);
    this.#received = [];
    for (const listener of this.#listeners) listener();
  }
}
