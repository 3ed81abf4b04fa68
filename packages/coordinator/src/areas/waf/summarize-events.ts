/** How many events there were over time, and where most of them come from. */
import { invalid, utc, WAF_VERDICTS, type WafSummary, type WafVerdict } from '@meshwork/contract';
import type { Mesh } from '../../mesh/mesh.ts';
import type { Call, Reply } from '../handler.ts';
import { filterOf } from './event-filters.ts';
import { type Recorded, walkEvents } from './event-log.ts';
import { TopValues } from './top-values.ts';

const DAY_S = 86_400;
/** Ours: sizes of a step that people know. */
const STEPS_S = [60, 300, 900, 3600, 3 * 3600, 6 * 3600, 12 * 3600, DAY_S, 7 * DAY_S, 30 * DAY_S];
const MOST_STEPS = 100;
/** Ours: what one summary looks at, which takes about a second. */
const LOOKED_AT = 20_000;

type Counts = Record<WafVerdict, number>;

export async function summarizeEvents(mesh: Mesh, call: Call<'waf.summary'>): Promise<Reply<'waf.summary'>> {
  const filter = filterOf(mesh.model, call.actor, call.query);
  // The second that is under way counts.
  const to_ms = filter.to_ms ?? Math.floor(call.now_ms / 1000 + 1) * 1000;
  const from_ms = filter.from_ms ?? to_ms - DAY_S * 1000;
  if (from_ms >= to_ms) throw invalid('query/from', 'must be before `to`');
  const sums = new Sums(from_ms, to_ms, call.query.verdict);
  let looked = 0;
  for await (const recorded of walkEvents(mesh.journal, { ...filter, from_ms, to_ms })) {
    if (++looked > LOOKED_AT) return { body: sums.summary(false) };
    if (filter.keeps(recorded)) sums.add(recorded);
  }
  return { body: sums.summary(true) };
}

class Sums {
  readonly #from_ms: number;
  readonly #to_ms: number;
  readonly #step_s: number;
  readonly #steps: { readonly at: string; readonly counts: Counts }[] = [];
  readonly #firstStep: number;
  readonly #all = none();
  readonly #leftOut = none();
  readonly #rules = new TopValues();
  readonly #addresses = new TopValues();
  readonly #places = new TopValues();
  readonly #verdicts: readonly WafVerdict[];

  constructor(from_ms: number, to_ms: number, verdict: WafVerdict | undefined) {
    this.#from_ms = from_ms;
    this.#to_ms = to_ms;
    this.#verdicts = verdict === undefined ? WAF_VERDICTS : [verdict];
    this.#step_s = stepFor((to_ms - from_ms) / 1000);
    this.#firstStep = Math.floor(from_ms / 1000 / this.#step_s);
    for (let step = this.#firstStep; step * this.#step_s * 1000 < to_ms; step++) {
      this.#steps.push({ at: utc(step * this.#step_s * 1000), counts: none() });
    }
  }

  add({ place, event, left_out }: Recorded): void {
    const step = this.#steps[Math.floor(place.at_ms / 1000 / this.#step_s) - this.#firstStep]?.counts ?? none();
    if (left_out !== undefined) {
      for (const verdict of this.#verdicts) {
        for (const sums of [step, this.#all, this.#leftOut]) sums[verdict] += left_out[verdict];
      }
    }
    if (event === undefined) return;
    const { verdict, matches, address, host, path } = event;
    step[verdict]++;
    this.#all[verdict]++;
    const rules = new Map(matches.map(({ rule, name, message }) => [String(rule), name ?? message]));
    for (const [rule, label] of rules) this.#rules.add(rule, label, verdict);
    this.#addresses.add(address, address, verdict);
    this.#places.add(`${host}${path}`, `${host}${path}`, verdict);
  }

  summary(whole: boolean): WafSummary {
    return {
      from: utc(this.#from_ms),
      to: utc(this.#to_ms),
      step_s: this.#step_s,
      steps: this.#steps.map(({ at, counts }) => ({ at, ...counts })),
      ...this.#all,
      left_out: this.#leftOut,
      whole,
      rules: this.#rules.top(),
      addresses: this.#addresses.top(),
      places: this.#places.top(),
    };
  }
}

function none(): Counts {
  return { blocked: 0, detected: 0, scored: 0 };
}

/** The smallest that people know with which there are not too many. A step begins at a multiple of its size, so one more is needed. */
function stepFor(range_s: number): number {
  const longest = Math.ceil(range_s / (MOST_STEPS - 1) / DAY_S) * DAY_S;
  return STEPS_S.find((step) => range_s / step <= MOST_STEPS - 1) ?? longest;
}
