import { ATTENTION_KINDS, type Attention, SEVERITIES } from '@meshwork/contract';

/** Keeps the most urgent of any number, in order, without keeping the others. */
export class MostUrgent {
  readonly #limit: number;
  readonly #kept: Attention[] = [];
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get kept(): readonly Attention[] {
    return this.#kept;
  }

  get total(): number {
    return this.#total;
  }

  add(one: Attention): void {
    this.#total += 1;
    const last = this.#kept.at(-1);
    if (this.#kept.length === this.#limit && last !== undefined && compare(one, last) >= 0) return;
    const place = this.#kept.findIndex((other) => compare(one, other) < 0);
    this.#kept.splice(place < 0 ? this.#kept.length : place, 0, one);
    if (this.#kept.length > this.#limit) this.#kept.pop();
  }
}

/** By severity, then by kind, then what has lasted longest or comes soonest. */
function compare(a: Attention, b: Attention): number {
  const byClass = CLASSES[a.severity] - CLASSES[b.severity] || KINDS[a.kind] - KINDS[b.kind];
  if (byClass !== 0) return byClass;
  const [since, other] = [a.since ?? '', b.since ?? '']; // all of one form, in UTC: as text they sort by time
  return since < other ? -1 : since > other ? 1 : 0;
}

function placesOf<T extends string>(list: readonly T[]): Record<T, number> {
  return Object.fromEntries(list.map((name, place) => [name, place])) as Record<T, number>;
}
const CLASSES = placesOf(SEVERITIES);
const KINDS = placesOf(ATTENTION_KINDS);
