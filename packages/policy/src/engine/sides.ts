import type { Network } from '@meshwork/addresses';
import type { Allow } from '../document/allow.ts';
import type { Conditions } from '../document/document.ts';

/** The sources of a grant: the members of a group for which the conditions hold. Grants that say the same share it. */
export interface SourceSide {
  readonly id: number;
  readonly group: string;
  readonly when: Conditions;
  readonly links: readonly Link[];
  /** Those of them that lead into a network. */
  readonly networkLinks: readonly Link[];
  /** Whether the boundary of a node on this side matters: some link holds only within one, or leads to a network. */
  readonly within: boolean;
}

/** The destinations of a grant: the members of a group, or the nodes that forward to a part of a network. */
export interface TargetSide {
  readonly id: number;
  /** Undefined only with a network: any node that forwards to it. */
  readonly group: string | undefined;
  readonly network: Network | undefined;
  /** Only what was approved for the whole mesh counts here. */
  readonly shared: boolean;
  readonly links: readonly Link[];
  readonly within: boolean;
}

export type Side = SourceSide | TargetSide;

/** What may be done from one side to the other, by one grant or by several that differ in nothing else. */
export interface Link {
  readonly id: number;
  readonly source: SourceSide;
  readonly target: TargetSide;
  /** Only between nodes of one boundary. */
  readonly within: boolean;
  /** Their places in the document, ascending. */
  readonly grants: readonly number[];
  readonly allow: readonly Allow[];
}
