import type { ForeignRule, Observed } from '@meshwork/contract';
import { MAX_FOREIGN_RULES } from '@meshwork/contract/vocabulary';

/** What engines found of other programs' rules. Each says what changed of its own, and all of it is reported together. */
export class ForeignRules<K> {
  readonly #found = new Map<K, readonly ForeignRule[]>();
  #isNews = false;

  /** `rules` absent: they are as they were. */
  note(key: K, rules: readonly ForeignRule[] | undefined): void {
    if (rules === undefined) return;
    this.#found.set(key, rules);
    this.#isNews = true;
  }

  /** All that are known. */
  get all(): readonly ForeignRule[] {
    return bounded([...this.#found.values()].flat());
  }

  /** Empty when nothing changed. */
  together(): Pick<Observed, 'foreign'> {
    if (!this.#isNews) return {};
    this.#isNews = false;
    return { foreign: [...this.all] };
  }
}

/** The last entry stands for those that find no room. It limits nothing, since it may be any of them. */
export function bounded(rules: readonly ForeignRule[]): ForeignRule[] {
  if (rules.length <= MAX_FOREIGN_RULES) return [...rules];
  const directions = ['in', 'out', 'forward'] as const;
  const shown = rules.slice(0, MAX_FOREIGN_RULES - directions.length);
  const rest = rules.slice(shown.length);
  return [
    ...shown,
    ...directions.flatMap((direction) => {
      const count = rest.filter((rule) => rule.direction === direction).length;
      return count === 0
        ? []
        : [{ kind: 'filter' as const, direction, text: `and ${count} more rules of other programs` }];
    }),
  ];
}
