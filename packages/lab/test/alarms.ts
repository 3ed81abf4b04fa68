import assert from 'node:assert/strict';
import type { Client } from '@meshwork/client';
import type { EventRecord } from '@meshwork/contract';
import { until } from './until.ts';

/** Hears of everything that must not happen to a node whose agent runs, across all restarts. */
export class Alarms implements AsyncDisposable {
  readonly #client: Client;
  readonly #closing = new AbortController();
  readonly #heard: EventRecord[] = [];
  readonly #listening: Promise<void>;

  constructor(client: Client) {
    this.#client = client;
    this.#listening = this.#listen();
  }

  /** Every event up to now has arrived once an event that happens now has. */
  async assertNone(): Promise<void> {
    const marks = () => this.#heard.filter(({ type }) => type === 'settings.changed').length;
    const before = marks();
    await this.#client.call('settings.update', { body: { audit: { retention_days: 1000 } } });
    await until(
      () => marks() > before,
      () => 'the stream goes on',
    );
    assert.deepEqual(
      this.#heard.filter(({ type }) => type !== 'settings.changed'),
      [],
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const type = 'node.stale,node.unreachable,node.recovered,node.removed,node.drifted,settings.changed';
    const { signal } = this.#closing;
    try {
      for await (const event of this.#client.events({ type, after: 0 }, { signal })) {
        assert.ok(event.type !== 'reset');
        this.#heard.push(event);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
