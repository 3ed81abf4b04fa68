import { type Attention, covers, isOpen, newId } from '@meshwork/contract';
import type { Stored } from '../../mesh/model.ts';
import type { Facts, Summarizes } from '../summary.ts';

const LATELY_MS = 24 * 3600 * 1000;
/** An operation is open for a day at most, and one that ended within a day counts: so none is older than this. */
const OPERATIONS_MS = 3 * LATELY_MS;

type Operations = readonly Stored<'operation'>[];

export const operationSummary: Summarizes = {
  permitted_by: 'operations.list',
  summarize: (facts) => {
    const recent = recentOperations(facts);
    const failed = lastFailures(facts, recent);
    const open = recent.filter(({ body }) => isOpen(body.state)).length;
    return { figures: { operations: { open, failed_lately: failed.length } }, attention: failedOperations(failed) };
  },
};

/** In the order in which they were requested: every open one, and those that ended lately. */
function recentOperations({ model, actor, now_ms }: Facts): Operations {
  const oldest = newId('operation', now_ms - OPERATIONS_MS, () => undefined); // the first id of that moment
  return [...model.after('operation', oldest)].filter(({ body }) => covers(actor.scope, body.scope));
}

/**
 * Operations that failed or timed out in the last 24 hours: the last of a kind for each node, and none that succeeded
 * since.
 */
function lastFailures({ model, now_ms }: Facts, recent: Operations): Operations {
  const last = new Map<string, Stored<'operation'>>();
  for (const operation of recent) {
    const { node, kind, state, ended_at } = operation.body;
    const key = `${node} ${kind}`;
    if (state === 'verified') last.delete(key);
    if (state !== 'failed' && state !== 'timed_out') continue;
    const isGone = kind !== 'remove' && (model.get('node', node)?.body.removed_at ?? null) !== null;
    if (!isGone && ended_at !== null && now_ms - Date.parse(ended_at) <= LATELY_MS) last.set(key, operation);
  }
  return [...last.values()];
}

function* failedOperations(failed: Operations): Generator<Attention> {
  for (const { id, body } of failed) {
    const words = body.kind.replaceAll('_', ' ');
    yield {
      kind: 'operation_failed',
      severity: 'warning',
      subject: { kind: 'operation', id, name: `${words} ${body.node_name}` },
      title: `${words} of ${body.node_name} ${body.state === 'failed' ? 'failed' : 'timed out'}`,
      detail: body.reason ?? 'No heartbeat of the node confirmed it.',
      since: body.ended_at,
      fix: 'Check the reason and the posture of the node, then request it again.',
    };
  }
}
