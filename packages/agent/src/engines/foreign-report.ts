import type { ForeignRule } from '@meshwork/contract';
import { MAX_FOREIGN_TEXT } from '@meshwork/contract/vocabulary';
import type { AcceptRoutes } from '@meshwork/policy/routes';
import type { HeldView } from '../view/held-view.ts';
import { type MeshReach, ViewReach } from './mesh-reach.ts';

/** What an engine can read of other programs on the host: their packet filters, or their routing. */
export interface ForeignSource {
  look(): Promise<void>;
  /** Which of it may concern packets of the mesh. Undefined: it was not read yet. */
  rules(reach: MeshReach): readonly ForeignRule[] | undefined;
}

/** What an engine reports of other programs: once it has changed, or when everything is asked for. */
export class ForeignReport {
  readonly #source: ForeignSource;
  readonly #reach: ViewReach;
  /** As they were last judged: since then neither the host was looked at nor the mesh changed. */
  #judged: { readonly by: MeshReach; readonly rules: readonly ForeignRule[]; readonly text: string } | undefined;
  /** What was last reported, as text. */
  #reported: string | undefined;

  constructor(source: ForeignSource, accept: AcceptRoutes) {
    this.#source = source;
    this.#reach = new ViewReach(accept);
  }

  /** What the mesh reaches may have changed. */
  planned(view: HeldView): void {
    this.#reach.planned(view);
  }

  /** Answers whether there is news. */
  async survey(): Promise<boolean> {
    await this.#source.look();
    this.#judged = undefined;
    return this.#now?.text !== this.#reported;
  }

  observe(extent: 'changes' | 'everything'): { readonly foreign?: ForeignRule[] } {
    const now = this.#now;
    if (now === undefined || (extent === 'changes' && now.text === this.#reported)) return {};
    this.#reported = now.text;
    return { foreign: [...now.rules] };
  }

  /** Undefined: nothing was read yet. */
  get #now() {
    const by = this.#reach.now;
    if (this.#judged?.by !== by) this.#judged = this.#judge(by);
    return this.#judged;
  }

  #judge(by: MeshReach) {
    const rules = this.#source.rules(by)?.map((rule) => ({ ...rule, text: rule.text.slice(0, MAX_FOREIGN_TEXT) }));
    return rules && { by, rules, text: JSON.stringify(rules) };
  }
}
