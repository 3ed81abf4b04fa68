import type { Log, Metrics } from '@meshwork/service';

/** Ours: nodes and things that are remembered as logged. Then it begins anew, and some are logged once more. */
const REMEMBERED = 10_000;

/** What nodes say that is left out and does not cost them their heartbeat: counted, and logged once for each node and thing. */
export class ReportWarnings {
  readonly #log: Pick<Log, 'warn'>;
  readonly #members: { inc(labels: { operation: string }, count: number): void };
  readonly #endpoints: { inc(count: number): void };
  readonly #logged = new Set<string>();

  constructor({ log, metrics }: { readonly log: Pick<Log, 'warn'>; readonly metrics: Metrics }) {
    this.#log = log;
    this.#members = metrics.counter(
      'mesh_coordinator_unknown_members_total',
      'Members of requests by agents that this version does not know, and ignored.',
      ['operation'],
    );
    this.#endpoints = metrics.counter(
      'mesh_coordinator_endpoints_left_out_total',
      'Endpoints that nodes reported and that no peer can have.',
      [],
    );
  }

  /** `who`: the node, or the token that enrols one. The agent is newer than this coordinator. */
  unknownMembers(who: string, operation: string, pointers: readonly string[]): void {
    this.#members.inc({ operation }, pointers.length);
    const members = [...new Set(pointers.map((pointer) => pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')))];
    const message = 'ignored members that this version does not know: is the agent newer than the coordinator?';
    this.#once(`${who} ${operation} ${members.join()}`, { node_id: who, operation, members }, message);
  }

  endpointsLeftOut(who: string, endpoints: readonly string[]): void {
    this.#endpoints.inc(endpoints.length);
    this.#once(`${who} ${endpoints.join()}`, { node_id: who, endpoints }, 'left out endpoints that no peer can have');
  }

  #once(key: string, facts: object, message: string): void {
    if (this.#logged.has(key)) return;
    if (this.#logged.size >= REMEMBERED) this.#logged.clear();
    this.#logged.add(key);
    this.#log.warn(facts, message);
  }
}
