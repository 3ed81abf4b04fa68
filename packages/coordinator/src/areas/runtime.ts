/** What areas share while the coordinator runs: the mesh, what heartbeats say, and what nodes are sent. */
import type { AnswerOf, HeartbeatRequest, NodeId, Operations, Readiness } from '@meshwork/contract';
import type { Outbound } from '@meshwork/service';
import type { NodeSessions } from '../access/node-session.ts';
import type { Signing } from '../issuing/signing/signing.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { NodeStatuses } from '../node-status/node-statuses.ts';
import type { ReportWarnings } from '../node-status/report-warnings.ts';
import type { Looks } from '../probes/looks.ts';
import type { ProbeDesk } from '../probes/probe-desk.ts';
import type { NodeViews } from '../views/node-views.ts';
import type { PolicyReach } from '../views/policy-reach.ts';
import type { Waiting } from '../views/waiting.ts';
import type { SharedIndexes } from './shared-indexes.ts';
import type { Summarizes } from './summary.ts';

/** What the coordinator says about itself; `main.ts` fills it in. */
export interface MetaSources {
  openapi(): AnswerOf<Operations['meta.openapi']>;
  /** The reference page, as HTML. */
  reference(): string;
  readiness(): Promise<Readiness>;
  metrics(): Promise<string>;
}

export interface Runtime extends SharedIndexes {
  readonly mesh: Mesh;
  readonly sessions: NodeSessions;
  readonly statuses: NodeStatuses;
  /** Which nodes are peers, and why. */
  readonly policy: PolicyReach;
  readonly views: NodeViews;
  /** Heartbeats that wait for a change. */
  readonly waiting: Waiting;
  /** What nodes are asked to try or to look at right now, and what they said when they last looked. */
  readonly probes: ProbeDesk;
  readonly looks: Looks;
  readonly warnings: ReportWarnings;
  /** The thread that reads untrusted ASN.1 and signs. */
  readonly signing: Signing;
  /** What asks outside authorities, and no other servers. */
  readonly outbound: Outbound;
  /** What `/v1/meta` answers with. */
  readonly meta: MetaSources;
  /** The port that the API listens on. */
  readonly api_port: number;
  /** Whether the authorities of the mesh CA are made where there are none. */
  readonly makes_authorities: boolean;
  /**
   * Whether something is made hard for an ACME client this time, one of so many, as Pebble does: some good nonces are refused,
   * and not every authorization is used again. Never outside of tests.
   */
  readonly tries_acme_client: (one_of: number) => boolean;
  /** The store failed outside of a request. */
  failed(error: unknown): void;
  /** Gives a heartbeat to the duties of all areas. */
  onHeartbeat(node: NodeId, heartbeat: HeartbeatRequest): void;
  /** Keeps what must not be lost with the answer to a heartbeat. Undefined: there is nothing to wait for. */
  keep(node: NodeId, heartbeat: HeartbeatRequest): Promise<unknown> | undefined;
  /** What the areas add to the overview. */
  summaries(): readonly Summarizes[];
}
