/** Takes in what gateways recorded. It is on disk before their heartbeat is answered, so that none is lost with an answer. */
import {
  MeshError,
  type NodeId,
  newId,
  utc,
  type WafLeftOut,
  type WafObserved,
  type WafReport,
} from '@meshwork/contract';
import { type Journal, type NewObservation, StoreError } from '@meshwork/store';
import type { Clock } from '@meshwork/time';
import type { Model } from '../../mesh/model.ts';
import { settingsOf } from '../../mesh/settings-of.ts';
import { type EventBody, type LeftOutBody, timeOfEvent, WAF_LOG } from './event-log.ts';
import { fittingReport } from './fitting-report.ts';
import { ReportAllowance } from './report-allowance.ts';
import { ServedLately } from './served-lately.ts';

const DAY_MS = 86_400_000;
/** Ours: how far the clock of a gateway may be ahead. */
const AHEAD_MS = 300_000;
/** Ours: ids given in place of others, as long as a heartbeat may be repeated. */
const RENAMED_MOST = 2_000;

type Counts = Pick<WafLeftOut, 'blocked' | 'detected' | 'scored'>;

interface Sources {
  readonly journal: Pick<Journal, 'observe'>;
  readonly model: Model;
  readonly clock: Clock;
  /** Called with how many were kept, and how many were not believed. */
  readonly counted: (counts: Counts, disbelieved: number) => void;
}

export class KeepEvents {
  readonly #sources: Sources;
  readonly #served: ServedLately;
  readonly #allowance: ReportAllowance;
  /** Ids by those that gateways with a wrong clock gave, so that a repeated heartbeat is known again. */
  readonly #renamed = new Map<string, string>();

  constructor(sources: Sources) {
    const { model, clock } = sources;
    this.#sources = sources;
    this.#served = new ServedLately(model, () => clock.now());
    this.#allowance = new ReportAllowance(() => clock.monotonic());
  }

  /** Undefined: there is nothing to keep, and nothing to wait for. */
  keep(node: NodeId, { events = [], left_out = [] }: WafObserved): Promise<void> | undefined {
    if (events.length === 0 && left_out.length === 0) return undefined;
    const reports = events.flatMap((report) => this.#believed(node, report) ?? []);
    const counted = left_out.flatMap((one) => this.#believed(node, one) ?? []);
    const allowed = this.#allowance.take(node, reports.length);
    const observations = [
      ...reports.slice(0, allowed).map(({ about, origin }) => this.#event(about, origin)),
      ...[...folded(reports.slice(allowed)), ...counted].map(({ about, origin }) => this.#leftOut(about, origin)),
    ];
    const disbelieved = events.length + left_out.length - reports.length - counted.length;
    this.#sources.counted(sumOf(reports, counted), disbelieved);
    return observations.length === 0 ? undefined : this.#write(observations);
  }

  async #write(observations: readonly NewObservation[]): Promise<void> {
    try {
      await this.#sources.journal.observe(observations);
    } catch (error) {
      if (!(error instanceof StoreError) || error.fault !== 'overloaded') throw error;
      const detail = 'Too many WAF events wait to be written. Send the heartbeat again.';
      throw new MeshError('busy', detail, { retry_after_s: 1, cause: error });
    }
  }

  #believed<A extends WafReport | WafLeftOut>(node: NodeId, about: A): Believed<A> | undefined {
    const { model } = this.#sources;
    const scope = this.#served.scopeFor(node, about.ingress, about.policy);
    const gateway = model.get('node', node)?.body.name;
    return scope === undefined || gateway === undefined ? undefined : { about, origin: { node, gateway, scope } };
  }

  #event(report: WafReport, origin: Origin): NewObservation {
    const { id, ...rest } = fittingReport(report);
    return this.#observation(id, report.ingress, { event: { ...origin, ...rest } satisfies EventBody });
  }

  #leftOut({ id, ...rest }: WafLeftOut, origin: Origin): NewObservation {
    return this.#observation(id, rest.ingress, { left_out: { ...origin, ...rest } satisfies LeftOutBody });
  }

  #observation(given: string, key: string, body: object): NewObservation {
    const id = this.#timely(given);
    return { log: WAF_LOG, key, at_ms: timeOfEvent(id), id, body: JSON.stringify(body) };
  }

  /**
   * The id that it is kept under. One that says a time which cannot be, because the clock of the gateway is wrong, gets another of
   * now: else it would be removed at once, or stay above all others until its time has come.
   */
  #timely(id: string): string {
    const { clock, model } = this.#sources;
    const now = clock.now();
    const at_ms = timeOfEvent(id);
    if (at_ms <= now + AHEAD_MS && at_ms > now - settingsOf(model).waf.events_days * DAY_MS) return id;
    const known = this.#renamed.get(id);
    if (known !== undefined) return known;
    const renamed = newId('wafevent', now);
    this.#renamed.set(id, renamed);
    const [oldest] = this.#renamed.keys();
    if (this.#renamed.size > RENAMED_MOST && oldest !== undefined) this.#renamed.delete(oldest);
    return renamed;
  }
}

type Origin = Pick<EventBody, 'node' | 'gateway' | 'scope'>;

interface Believed<A> {
  readonly about: A;
  readonly origin: Origin;
}

/** What is beyond the allowance is counted, by policy and ingress. */
function folded(reports: readonly Believed<WafReport>[]): Believed<WafLeftOut>[] {
  const groups = Map.groupBy(reports, ({ about }) => `${about.policy} ${about.ingress}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { id, policy, ingress } = first.about;
    const times = group.map(({ about }) => timeOfEvent(about.id));
    const from = utc(Math.min(...times));
    const to = utc(Math.max(...times));
    return [{ about: { id, policy, ingress, from, to, ...sumOf(group, []) }, origin: first.origin }];
  });
}

function sumOf(reports: readonly Believed<WafReport>[], counted: readonly Believed<WafLeftOut>[]): Counts {
  const sum = { blocked: 0, detected: 0, scored: 0 };
  for (const { about } of reports) sum[about.verdict]++;
  for (const { about } of counted) {
    sum.blocked += about.blocked;
    sum.detected += about.detected;
    sum.scored += about.scored;
  }
  return sum;
}
