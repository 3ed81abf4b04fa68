import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Durations } from './durations.ts';

/** Gauges of the library with the suffix of a counter. Scrapers complain about them. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The metrics of a service, by Prometheus's conventions: base units, `_total` on counters. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Durations;
  readonly #refusals: Counter<'code'>;
  readonly #foldedRefusals: Counter;
  readonly #commits: Histogram;
  readonly #transactions: Counter;
  readonly #storeErrors: Counter;

  /** `prefix`: what the names of all series begin with, such as `mesh_coordinator`. */
  constructor(prefix: string) {
    this.#requests = new Durations(
      `${prefix}_http_request_duration_seconds`,
      'Time from the headers of a request to its answer being handed to the network.',
    );
    this.#refusals = this.#counter(`${prefix}_refusals_total`, 'Requests refused, by code.', ['code']);
    this.#foldedRefusals = this.#counter(
      `${prefix}_refusals_folded_total`,
      'Refusals that share an audit entry with others.',
      [],
    );
    this.#transactions = this.#counter(`${prefix}_transactions_total`, 'Transactions committed.', []);
    this.#storeErrors = this.#counter(`${prefix}_store_errors_total`, 'Calls to the store that failed.', []);
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.registry.registerMetric(this.#requests.metric);
    this.#commits = new Histogram({
      name: `${prefix}_commit_duration_seconds`,
      help: 'Time to make a batch of transactions durable.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [this.registry],
    });
  }

  /** A value that is read at each scrape. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  /** Several values of one kind, distinguished by a label. */
  gauges(given: { name: string; help: string; label: string }, read: () => ReadonlyMap<string, number>): void {
    const { name, help, label } = given;
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        for (const [value, count] of read()) this.set({ [label]: value }, count);
      },
    });
  }

  /** Something that is counted where it happens. */
  counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return this.#counter(name, help, labelNames);
  }

  /** `operation`: its id in the table; `none` where no operation has the path. */
  request(operation: string, status: number, took_ms: number): void {
    this.#requests.observe(operation, status, took_ms / 1000);
  }

  refusal(code: string): void {
    this.#refusals.inc({ code });
  }

  foldedRefusal(): void {
    this.#foldedRefusals.inc();
  }

  commit(transactions: number, took_ms: number): void {
    this.#transactions.inc(transactions);
    this.#commits.observe(took_ms / 1000);
  }

  storeError(): void {
    this.#storeErrors.inc();
  }

  #counter<L extends string>(name: string, help: string, labelNames: L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }
}
