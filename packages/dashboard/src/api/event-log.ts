/** The last events that were heard, newest first. A burst of them is one change to whoever looks. */
import type { EventRecord } from '@meshwork/contract';

const KEPT = 500;
const TOGETHER_MS = 100;

export class EventLog {
  #events: readonly EventRecord[] = [];
  #heard: EventRecord[] = [];
  readonly #listeners = new Set<() => void>();

  get newestFirst(): readonly EventRecord[] {
    return this.#events;
  }

  add(event: EventRecord): void {
    this.#heard.push(event);
    if (this.#heard.length === 1) setTimeout(() => this.#show(), TOGETHER_MS);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #show(): void {
    this.#events = [...this.#heard.reverse(), ...this.#events].slice(0, KEPT);
    this.#heard = [];
    for (const listener of this.#listeners) listener();
  }
}
