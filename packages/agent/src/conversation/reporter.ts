import {
  type Applied,
  type AppliedSection,
  type CommandResult,
  type HeartbeatRequest,
  type LinkReport,
  MAX_LINKS,
  type Observed,
  type Report,
} from '@meshwork/contract';

/** The fields of a heartbeat that say something about the node. */
export type Told = Pick<HeartbeatRequest, 'complete' | 'applied' | 'report' | 'observed' | 'results'>;

/** One heartbeat's worth of news, kept until its answer has come. */
export interface Shipment {
  readonly told: Told;
  readonly facts: readonly (readonly [FactName, unknown])[];
  /** Whether there is more than this heartbeat could take. */
  readonly more: boolean;
}

/** `report.endpoints`, `applied.peers` … : what has one value at a time. Links and results come in numbers. */
type FactName = `report.${keyof Report}` | `applied.${AppliedSection}` | `observed.${Exclude<keyof Observed, 'links'>}`;

/** The contract's limit on results in one heartbeat. */
const MAX_RESULTS = 100;

/**
 * Knows what the coordinator has heard. Nothing counts as heard until the heartbeat that said it was answered; until
 * then every heartbeat says it again.
 */
export class Reporter {
  readonly #facts = new Map<FactName, unknown>();
  readonly #unheard = new Set<FactName>();
  readonly #links = new Map<string, LinkReport>();
  readonly #results = new Map<string, CommandResult>();
  /** Whether the next heartbeat says everything: after a start the coordinator has heard nothing of this boot. */
  #complete = true;

  /** Whether there is anything to say. */
  get pending(): boolean {
    return this.#complete || this.#unheard.size > 0 || this.#links.size > 0 || this.#results.size > 0;
  }

  /** What is true of the node itself. Absent fields are as they were. Says whether anything is new. */
  report(report: Report): boolean {
    return this.#note('report', report);
  }

  applied(section: AppliedSection, applied: Applied): boolean {
    return this.#note('applied', { [section]: applied });
  }

  observed({ links, ...observed }: Observed): boolean {
    for (const link of links ?? []) this.#links.set(link.peer, link);
    return this.#note('observed', observed) || links !== undefined;
  }

  result(result: CommandResult): void {
    this.#results.set(result.id, result);
  }

  /**
   * The coordinator has forgotten: everything that is remembered here goes out again. Links are not; whoever observes them
   * is to be asked for all.
   */
  forgotten(): void {
    this.#complete = true;
    for (const name of this.#facts.keys()) this.#unheard.add(name);
  }

  pack(): Shipment {
    const facts = [...this.#unheard].map((name) => [name, this.#facts.get(name)] as const);
    const links = [...this.#links.values()].slice(0, MAX_LINKS);
    const results = [...this.#results.values()].slice(0, MAX_RESULTS);
    const told: Record<string, unknown> = this.#complete ? { complete: true } : {};
    for (const [name, value] of facts) put(told, name, value);
    if (links.length > 0) put(told, 'observed.links', links);
    if (results.length > 0) told.results = results;
    return { told, facts, more: links.length < this.#links.size || results.length < this.#results.size };
  }

  /** What has changed since it was packed stays: it has not been said yet. */
  answered({ told, facts }: Shipment): void {
    if (told.complete === true) this.#complete = false;
    for (const [name, value] of facts) {
      if (this.#facts.get(name) === value) this.#unheard.delete(name);
    }
    for (const link of told.observed?.links ?? []) {
      if (this.#links.get(link.peer) === link) this.#links.delete(link.peer);
    }
    for (const { id } of told.results ?? []) this.#results.delete(id);
  }

  #note(group: 'report' | 'applied' | 'observed', values: object): boolean {
    let news = false;
    for (const [field, value] of Object.entries(values)) {
      const name = `${group}.${field}` as FactName;
      if (value === undefined || JSON.stringify(value) === JSON.stringify(this.#facts.get(name))) continue;
      this.#facts.set(name, value);
      this.#unheard.add(name);
      news = true;
    }
    return news;
  }
}

function put(told: Record<string, unknown>, name: string, value: unknown): void {
  const [group, field] = name.split('.') as [string, string];
  told[group] = { ...(told[group] as object | undefined), [field]: value };
}
