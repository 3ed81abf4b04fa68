/** What areas add to the overview: figures, and what needs attention. */
import type { Attention, OperationId, Overview, PresentState } from '@meshwork/contract';
import type { TokenActor } from '../mesh/actor.ts';
import type { Model, Stored } from '../mesh/model.ts';

export interface PresentNode {
  readonly node: Stored<'node'>;
  readonly state: PresentState;
}

/** What a summary is made of: gathered once, and only from what the caller may see. */
export interface Facts {
  readonly model: Model;
  readonly actor: TokenActor;
  readonly now_ms: number;
  /** Without removed ones. */
  readonly nodes: readonly PresentNode[];
}

export type Figures = Omit<Overview, 'revision' | 'attention' | 'attention_total'>;

interface Summary {
  readonly figures?: Partial<Figures>;
  /** In any order. */
  readonly attention?: Iterable<Attention>;
}

export interface Summarizes {
  /** The operation that answers the same at length: a caller that may not call it gets nothing of this. */
  readonly permitted_by: OperationId;
  summarize(facts: Facts): Summary;
}
