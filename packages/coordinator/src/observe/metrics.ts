import type { OperationId } from '@meshwork/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Gauges of the library that bear the suffix of a counter. Scrapers complain, and nobody needs them. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** What the coordinator says about itself, after Prometheus's conventions: base units, `_total` on counters. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #refusals = this.#counter('mesh_coordinator_refusals_total', 'Requests refused, by code.', ['code']);
  readonly #commits: Histogram;
  readonly #transactions = this.#counter('mesh_coordinator_transactions_total', 'Transactions committed.', []);
  readonly #storeErrors = this.#counter('mesh_coordinator_store_errors_total', 'Calls to the store that failed.', []);
  readonly #observers = new Map<string, (value: number) => void>();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    for (const name of MISNAMED) this.registry.removeSingleMetric(name);
    this.#requests = new Histogram({
      name: 'mesh_coordinator_http_request_duration_seconds',
      help: 'Time from the first byte of a request to the last of its answer.',
      labelNames: ['operation', 'status'],
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
      registers: [this.registry],
    });
    this.#commits = new Histogram({
      name: 'mesh_coordinator_commit_duration_seconds',
      help: 'Time to make a batch of transactions durable.',
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [this.registry],
    });
  }

  /** A value that is read when somebody scrapes. */
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

  request(operation: OperationId | 'none', status: number, took_ms: number): void {
    const key = `${operation} ${status}`;
    let observe = this.#observers.get(key);
    if (observe === undefined) {
      const series = this.#requests.labels({ operation, status: String(status) });
      observe = (value) => series.observe(value);
      this.#observers.set(key, observe);
    }
    observe(took_ms / 1000);
  }

  refusal(code: string): void {
    this.#refusals.inc({ code });
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
