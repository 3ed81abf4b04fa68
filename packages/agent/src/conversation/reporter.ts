import type {
  Applied,
  AppliedSection,
  CommandResult,
  HeartbeatRequest,
  LinkReport,
  Observed,
  ProbeResult,
  Repair,
  Report,
} from '@meshwork/contract';
import { MAX_LINKS, MAX_REPAIRS } from '@meshwork/contract/vocabulary';

/** The fields of a heartbeat that say something about the node. */
type Payload = Pick<HeartbeatRequest, 'complete' | 'applied' | 'report' | 'observed' | 'results' | 'probe_results'>;

/** One heartbeat's worth of news, kept until its answer has come. */
export interface Shipment {
  readonly payload: Payload;
  readonly facts: readonly (readonly [FactName, unknown])[];
  /** Whether there is more than this heartbeat could take. */
  readonly more: boolean;
}

/** `report.endpoints`, `applied.peers` … : what has one value at a time. Links, repairs and results come in numbers. */
type FactName =
  | `report.${keyof Report}`
  | `applied.${AppliedSection}`
  | `observed.${Exclude<keyof Observed, 'links' | 'repairs'>}`;

/** The contract's limit on results in one heartbeat. */
const MAX_RESULTS = 100;
/** Ours: repairs that wait to be reported. When two programs fight, or the coordinator is away, the oldest are dropped. */
const MAX_WAITING_REPAIRS = 100;

/**
 * Knows what the coordinator has received. A value counts as received once a heartbeat with it was answered; until
 * then every heartbeat repeats it.
 */
export class Reporter {
  readonly #facts = new Map<FactName, unknown>();
  readonly #unreported = new Set<FactName>();
  readonly #links = new Map<string, LinkReport>();
  readonly #results = new Map<string, CommandResult>();
  #repairs: readonly Repair[] = [];
  #standing: readonly (keyof Report)[] = [];
  /** Whether the next heartbeat reports everything: after a start the coordinator knows nothing of this boot. */
  #complete = true;

  /** Whether there is anything to report. */
  get pending(): boolean {
    const waiting = this.#unreported.size + this.#links.size + this.#results.size + this.#repairs.length;
    return this.#complete || waiting > 0;
  }

  /** What is true of the node itself. Absent fields are as they were. Says whether anything is new. */
  report(report: Report): boolean {
    return this.#note('report', report);
  }

  /** What the data plane says of the node, all of it: what it said before and does not say now is not repeated to a coordinator that lost its state. */
  standing(report: Report): void {
    for (const name of this.#standing) {
      if (report[name] !== undefined) continue;
      this.#facts.delete(`report.${name}`);
      this.#unreported.delete(`report.${name}`);
    }
    this.#standing = Object.keys(report) as (keyof Report)[];
    this.#note('report', report);
  }

  applied(section: AppliedSection, applied: Applied): boolean {
    return this.#note('applied', { [section]: applied });
  }

  observed({ links, repairs, ...observed }: Observed): boolean {
    for (const link of links ?? []) this.#links.set(link.peer, link);
    if (repairs !== undefined) this.#repairs = [...this.#repairs, ...repairs].slice(-MAX_WAITING_REPAIRS);
    return this.#note('observed', observed) || links !== undefined || repairs !== undefined;
  }

  result(result: CommandResult): void {
    this.#results.set(result.id, result);
  }

  /**
   * The coordinator lost its state: everything that is remembered here is sent again. Links are not remembered here; the
   * caller asks the data plane for all of them. Repairs are reported once.
   */
  forgotten(): void {
    this.#complete = true;
    for (const name of this.#facts.keys()) this.#unreported.add(name);
  }

  /** `probe_results` go out with it, and are not kept. */
  pack(probe_results: readonly ProbeResult[] = []): Shipment {
    const facts = [...this.#unreported].map((name) => [name, this.#facts.get(name)] as const);
    const results = this.#someResults();
    // One long answer or many links: both together could be more than a heartbeat may weigh.
    const hasLong = results.some(({ data }) => data !== undefined);
    const links = hasLong ? [] : [...this.#links.values()].slice(0, MAX_LINKS);
    const repairs = this.#repairs.slice(0, MAX_REPAIRS);
    const payload: Record<string, unknown> = this.#complete ? { complete: true } : {};
    for (const [name, value] of facts) put(payload, name, value);
    if (links.length > 0) put(payload, 'observed.links', links);
    if (repairs.length > 0) put(payload, 'observed.repairs', repairs);
    if (results.length > 0) payload.results = results;
    if (probe_results.length > 0) payload.probe_results = probe_results;
    const isLess = links.length < this.#links.size || results.length < this.#results.size;
    return { payload, facts, more: isLess || repairs.length < this.#repairs.length };
  }

  /** What changed since it was packed stays: it has not been reported yet. */
  answered({ payload, facts }: Shipment): void {
    if (payload.complete === true) this.#complete = false;
    for (const [name, value] of facts) {
      if (this.#facts.get(name) === value) this.#unreported.delete(name);
    }
    for (const link of payload.observed?.links ?? []) {
      if (this.#links.get(link.peer) === link) this.#links.delete(link.peer);
    }
    const repaired = new Set(payload.observed?.repairs);
    if (repaired.size > 0) this.#repairs = this.#repairs.filter((repair) => !repaired.has(repair));
    for (const { id } of payload.results ?? []) this.#results.delete(id);
  }

  /** Of those with an answer, which may be long, one at a time. */
  #someResults(): CommandResult[] {
    const all = [...this.#results.values()];
    const long = all.find(({ data }) => data !== undefined);
    return all.filter((result) => result.data === undefined || result === long).slice(0, MAX_RESULTS);
  }

  #note(group: 'report' | 'applied' | 'observed', values: object): boolean {
    let news = false;
    for (const [field, value] of Object.entries(values)) {
      const name = `${group}.${field}` as FactName;
      if (value === undefined || JSON.stringify(value) === JSON.stringify(this.#facts.get(name))) continue;
      this.#facts.set(name, value);
      this.#unreported.add(name);
      news = true;
    }
    return news;
  }
}

function put(payload: Record<string, unknown>, name: string, value: unknown): void {
  const [group, field] = name.split('.') as [string, string];
  payload[group] = { ...(payload[group] as object | undefined), [field]: value };
}
