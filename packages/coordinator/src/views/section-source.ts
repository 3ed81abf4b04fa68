import type { SectionContent, WholeSection } from '@meshwork/contract';
import type { Kind } from '../kinds/kinds.ts';
import type { Changed, Stored } from '../mesh/model.ts';

/** Notes for which nodes a section may be another after a change. */
export interface SectionTouch {
  node(id: string): void;
  allNodes(): void;
  /** Has a heartbeat of the node answered also if the section is the same: the node has to be heard from. */
  answer(node: string): void;
}

/** Where one section comes from that a node is sent whole. It belongs to the area whose documents stand in it. */
export interface SectionSource<S extends WholeSection> {
  /** What stands in it for a node, as it should be now. */
  content(node: Stored<'node'>): SectionContent<S>;
  /** By kind of document, what a change of it puts in question. The model has the change already. */
  readonly touchedBy: { readonly [K in Kind]?: (change: Changed<K>, touch: SectionTouch) => void };
  /** True: many nodes are given the same object, so that its digest is computed once. */
  readonly shared?: true;
  /** Everything may be different. */
  reset?(): void;
}

export type SectionSources = { readonly [S in WholeSection]: SectionSource<S> };
