import type { SectionContent, WholeSection } from '@meshwork/contract';
import type { Kind } from '../kinds/kinds.ts';
import type { Changed, Stored, View } from '../mesh/model.ts';

/** Notes for which nodes a section may be another after a change. */
export interface SectionTouch {
  node(id: string): void;
  allNodes(): void;
  /** Has a heartbeat of the node answered also if the section is the same: its next heartbeat is needed. */
  answer(node: string): void;
}

/** Where one section comes from that a node is sent whole. It belongs to the area whose documents stand in it. */
export interface SectionSource<S extends WholeSection> {
  /** What stands in it for a node. Where time alone changes it: at that moment, whatever the clock says by now. */
  content(node: Stored<'node'>, at_ms: number): SectionContent<S>;
  /**
   * When it is another for a node by time alone, after a moment. Undefined: it is not, unless a document changes. Absent: time
   * never changes it. `duties/turn-sections.ts` sees to it that the node is sent it then.
   */
  nextChangeAt?(node: Stored<'node'>, after_ms: number): number | undefined;
  /** By kind of document, what a change of it puts in question. The model has the change already. */
  readonly touchedBy: { readonly [K in Kind]?: (change: Changed<K>, touch: SectionTouch) => void };
  /** True: many nodes are given the same object, so that its digest is computed once. */
  readonly shared?: true;
  /** Everything may be different. */
  reset?(): void;
}

/** The moment that a section of a node is of. It is in the journal, so that all coordinators compute the same content. */
export function momentOf(view: View, node: Stored<'node'>, section: WholeSection): number {
  return view.get('section_time', node.id)?.body.sections[section] ?? Date.parse(node.body.created_at);
}

export type SectionSources = { readonly [S in WholeSection]: SectionSource<S> };
