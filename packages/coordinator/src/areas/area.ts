/**
 * An area of the product is one folder here that exports one value of this type: what it answers, what nodes are sent of it, what
 * the coordinator does for it by itself, and what it adds to the overview and the metrics. `areas.ts` lists all of them, and
 * `open-areas.ts` puts them together. The documents of an area are in `kinds/`.
 */
import type { HeartbeatRequest, NodeId } from '@meshwork/contract';
import type { Metrics } from '@meshwork/service';
import type { Duty } from '../duties/duty.ts';
import type { Vault } from '../mesh/mesh.ts';
import type { Model } from '../mesh/model.ts';
import type { Reach } from '../views/reach.ts';
import type { SectionSources } from '../views/section-source.ts';
import type { AreaHandlers } from './handler.ts';
import type { Protocol } from './protocol.ts';
import type { Runtime } from './runtime.ts';
import type { SharedIndexes } from './shared-indexes.ts';
import type { Summarizes } from './summary.ts';

interface Opening {
  readonly model: Model;
  readonly vault: Vault;
  /** Which nodes may reach which. It has followed a change when the sections are computed that the change touched. */
  readonly reach: Reach;
}

/** `Name`: what the ids of its operations begin with. */
export interface Area<Name extends string> {
  /** Opens what it keeps in memory. It comes before the views: they ask its indexes about a change, which must have it by then. */
  open(shared: SharedIndexes & Opening): OpenArea<Name>;
}

export interface OpenArea<Name extends string> {
  /** The sections that nodes are sent of it. */
  readonly sections?: Partial<SectionSources>;
  /** Called once, when everything that areas share is there. */
  serve(runtime: Runtime): ServedArea<Name>;
}

export interface ServedArea<Name extends string> {
  readonly handlers: AreaHandlers<Name>;
  /** What it speaks beside the table of operations. */
  readonly protocol?: Protocol;
  /** What the coordinator does by itself. */
  readonly duties?: readonly Duty[];
  /**
   * Called for every heartbeat, so that its duties learn what it brought: has to be cheap when nothing concerns them.
   */
  onHeartbeat?(node: NodeId, heartbeat: HeartbeatRequest): void;
  /**
   * Keeps what of a heartbeat is no change of the mesh and must not be lost: the heartbeat is answered once that is on disk, and not
   * at all when it fails. Undefined, as nearly always: there is nothing.
   */
  keep?(node: NodeId, heartbeat: HeartbeatRequest): Promise<void> | undefined;
  /** What it adds to the overview: figures, and what needs attention. */
  readonly overview?: Summarizes;
  /** Adds its gauges. */
  gauges?(metrics: Metrics): void;
  /** Ends answers that wait, because the coordinator closes. */
  dismiss?(): void;
  close?(): Promise<void>;
}
