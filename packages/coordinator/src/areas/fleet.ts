/**
 * The living side of the mesh: what heartbeats say, what nodes are told, and what the coordinator concludes from both.
 * Use cases that concern nodes get one of these beside the mesh.
 */
import type { HeartbeatRequest, NodeId } from '@meshwork/contract';
import type { NodeSessions } from '../access/node-session.ts';
import type { Directory } from '../mesh/directory.ts';
import type { IdIndex } from '../mesh/id-index.ts';
import type { Oddities } from '../node-status/oddities.ts';
import type { Sightings } from '../node-status/sightings.ts';
import type { OperationEnds } from '../operations/operation-ends.ts';
import type { NodeViews } from '../views/node-views.ts';
import type { PolicyReach } from '../views/policy-reach.ts';
import type { RoutesOf } from '../views/routes-of.ts';
import type { Waiting } from '../views/waiting.ts';

export interface Fleet {
  readonly sessions: NodeSessions;
  readonly sightings: Sightings;
  /** Who has to know whom, and why. */
  readonly policy: PolicyReach;
  /** Who is where and offers what. */
  readonly directory: Directory;
  /** Who forwards to what. */
  readonly routes: RoutesOf;
  readonly views: NodeViews;
  /** Operations that are under way, by node. */
  readonly open: IdIndex;
  /** Ingresses by gateway. */
  readonly served: IdIndex;
  readonly waiting: Waiting;
  /** Has the duties look at what a heartbeat brought. */
  heard(node: NodeId, heartbeat: HeartbeatRequest): void;
  readonly ends: OperationEnds;
  readonly oddities: Oddities;
}
