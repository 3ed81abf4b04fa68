import { WAF_VERDICTS, type WafSummary, type WafVerdict } from '@meshwork/contract';

const MOST = 10;

type Counted = WafSummary['rules'][number];

/** Which values came most often. */
export class TopValues {
  readonly #values = new Map<string, Counted>();

  add(value: string, label: string, verdict: WafVerdict): void {
    const known = this.#values.get(value) ?? { value, label, blocked: 0, detected: 0, scored: 0 };
    known[verdict]++;
    this.#values.set(value, known);
  }

  /** Of equally many, in order of value, so that an answer stays the same. */
  top(): Counted[] {
    const total = (counted: Counted) => WAF_VERDICTS.reduce((sum, verdict) => sum + counted[verdict], 0);
    return [...this.#values.values()]
      .sort((a, b) => total(b) - total(a) || (a.value < b.value ? -1 : 1))
      .slice(0, MOST);
  }
}
