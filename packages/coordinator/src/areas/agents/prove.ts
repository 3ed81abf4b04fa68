import { type CommandResult, type HeartbeatRequest, isOpen } from '@meshwork/contract';
import type { Stored, View } from '../../mesh/model.ts';
import type { Transaction } from '../../mesh/transaction.ts';
import { OPERATION_KINDS } from '../../operations/operation-kinds.ts';
import { answerIn, keepResult } from '../../operations/operation-results.ts';
import { cutOf, deliverOperation, endOperation } from '../../operations/operations.ts';
import { shownBy } from '../../operations/shown.ts';
import type { Runtime } from '../runtime.ts';

type Step = 'delivered' | { readonly verified: { readonly cut: number } } | { readonly failed: string };

interface Received {
  readonly view: View;
  readonly runtime: Pick<Runtime, 'statuses' | 'views' | 'open' | 'served'>;
  readonly node: Stored<'node'>;
  readonly body: HeartbeatRequest;
}

/** How far this heartbeat brings an operation on its node; undefined when no further. */
function stepOf({ view, runtime, node, body }: Received, operation: Stored<'operation'>): Step | undefined {
  const { body: asked } = operation;
  if (!isOpen(asked.state) || asked.node !== node.id) return undefined;
  const row = OPERATION_KINDS[asked.kind];
  // Only what it was asked to do: whether it was cut off or removed is not for the node to say.
  const result = row.witness === 'node' ? resultIn(body, operation.id) : undefined;
  const sources = { view, views: runtime.views, served: runtime.served, statuses: runtime.statuses };
  const shown = shownBy(sources, node, asked, { held: body.revision, result });
  if (row.witness === 'node' && row.proven(asked, shown)) return { verified: { cut: shown.cut } };
  if (result?.outcome === 'failed') return { failed: result.detail ?? 'the node says that it failed' };
  if (result !== undefined) return { failed: `the node says that it is done, but not that ${row.waits_for}` };
  return asked.state === 'requested' && shown.delivered ? 'delivered' : undefined;
}

export interface ProvenStep {
  readonly operation: Stored<'operation'>;
  readonly step: Step;
}
const NO_STEPS: readonly ProvenStep[] = [];

/** How far this heartbeat brings the operations on its node. Changes nothing. */
export function stepsOf(received: Received): readonly ProvenStep[] {
  const open = received.runtime.open.of(received.node.id);
  if (open.size === 0) return NO_STEPS;
  return [...open].flatMap((id) => {
    const operation = received.view.get('operation', id);
    const step = operation === undefined ? undefined : stepOf(received, operation);
    return operation === undefined || step === undefined ? [] : [{ operation, step }];
  });
}

/** Brings the operations on a node as far as its heartbeat shows. Returns them as they are then. */
export function writeSteps(
  tx: Transaction,
  steps: readonly ProvenStep[],
  body: HeartbeatRequest,
): readonly Stored<'operation'>[] {
  return steps.map(({ operation, step }) => {
    if (step === 'delivered') return deliverOperation(tx, operation);
    if ('verified' in step) return verify(tx, withAnswer(tx, operation, body), step.verified.cut);
    return endOperation(tx, operation, 'failed', step.failed);
  });
}

/** A drain says what had to be ended for it. */
function verify(tx: Transaction, operation: Stored<'operation'>, just_cut: number): Stored<'operation'> {
  const { body } = operation;
  if (body.kind !== 'drain') return endOperation(tx, operation, 'verified');
  const cut = cutOf(tx.get('operation', operation.id)?.body ?? body) + just_cut;
  if (cut === 0) return endOperation(tx, operation, 'verified');
  const counted = { ...operation, body: { ...body, detail: { ...body.detail, cut } } };
  return endOperation(
    tx,
    counted,
    'verified',
    `drained at the deadline: ${cut} ${cut === 1 ? 'connection' : 'connections'} cut`,
  );
}

/** With the answer, where the operation has one. */
function withAnswer(tx: Transaction, operation: Stored<'operation'>, body: HeartbeatRequest): Stored<'operation'> {
  const answer = operation.body.kind === 'diagnose' ? answerIn(resultIn(body, operation.id)) : undefined;
  return answer === undefined ? operation : keepResult(tx, operation, answer);
}

function resultIn({ results }: HeartbeatRequest, operation: string): CommandResult | undefined {
  return results?.find(({ id }) => id === operation);
}
