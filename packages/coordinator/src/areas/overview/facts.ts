import { covers, newId, OPERATIONS, type OperationId, type PresentState } from '@meshwork/contract';
import { isPermitted } from '../../access/authenticate.ts';
import type { TokenActor } from '../../mesh/actor.ts';
import type { Model, Stored } from '../../mesh/model.ts';
import { boundaryOfNode, nodeState } from '../../mesh/node-state.ts';
import type { GatewayProofs } from '../../node-status/gateway-proof.ts';
import type { Sightings } from '../../node-status/sightings.ts';

export interface PresentNode {
  readonly node: Stored<'node'>;
  readonly state: PresentState;
}

/** What an overview is made of: gathered once, and only from what the caller may know of. */
export interface Facts {
  readonly model: Model;
  readonly sightings: Sightings;
  readonly proofs: GatewayProofs;
  readonly actor: TokenActor;
  readonly now_ms: number;
  /** Without removed ones. */
  readonly nodes: readonly PresentNode[];
  /** In the order in which they were asked for: every open one, and those that ended lately. */
  readonly operations: readonly Stored<'operation'>[];
}

/** An operation is open for a day at most, and one that ended within a day counts: so none is older than this. */
const OPERATIONS_MS = 3 * 24 * 3600 * 1000;

export function gatherFacts(from: Pick<Facts, 'model' | 'sightings' | 'proofs' | 'actor' | 'now_ms'>): Facts {
  return { ...from, nodes: presentNodes(from), operations: recentOperations(from) };
}

/** Whether the caller could ask for the same by an operation of its own. */
export function mayAsk(actor: TokenActor, operation: OperationId): boolean {
  return isPermitted(actor, OPERATIONS[operation]);
}

function presentNodes({ model, actor }: Pick<Facts, 'model' | 'actor'>): readonly PresentNode[] {
  const present: PresentNode[] = [];
  for (const node of model.all('node')) {
    const state = nodeState(model, node);
    if (state !== 'removed' && covers(actor.scope, boundaryOfNode(node.body))) present.push({ node, state });
  }
  return present;
}

function recentOperations({ model, actor, now_ms }: Pick<Facts, 'model' | 'actor' | 'now_ms'>) {
  const oldest = newId('operation', now_ms - OPERATIONS_MS, () => undefined); // the first id of that moment
  return [...model.after('operation', oldest)].filter(({ body }) => covers(actor.scope, body.scope));
}
