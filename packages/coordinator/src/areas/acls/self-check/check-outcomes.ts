import type { Metrics } from '@meshwork/service';

/** Counts checks for metrics, which are there only once the areas are. */
export class CheckOutcomes {
  #count: (verdict: string, reality: string) => void = () => undefined;

  count(verdict: string, reality: string): void {
    this.#count(verdict, reality);
  }

  countIn(metrics: Metrics): void {
    const counter = metrics.counter(
      'mesh_explain_checks_total',
      'Explanations compared with a real attempt, by what was said and what happened.',
      ['verdict', 'reality'],
    );
    this.#count = (verdict, reality) => counter.inc({ verdict, reality });
  }
}
