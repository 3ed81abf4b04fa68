import type { Kind } from '../../kinds/kinds.ts';
import type { Changed, Model, ModelWatch } from '../../mesh/model.ts';

/**
 * Waits for what becomes of a challenge. A node answers within milliseconds, and a client that gets the outcome at once saves the
 * seconds that it would sleep before it asks.
 */
export class Decisions implements ModelWatch {
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(model: Pick<Model, 'watch'>) {
    model.watch(this);
  }

  changed<K extends Kind>({ kind, id }: Changed<K>): void {
    if (kind === 'acme_authorization') for (const go of this.#waiting.get(id) ?? []) go();
  }

  reset(): void {
    for (const all of this.#waiting.values()) for (const go of all) go();
  }

  /** Until it changes, or the time is over. */
  async next(id: string, within_ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const all = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, all.add(resolve));
    const late = setTimeout(resolve, within_ms);
    await promise;
    clearTimeout(late);
    all.delete(resolve);
    if (all.size === 0) this.#waiting.delete(id);
  }
}
