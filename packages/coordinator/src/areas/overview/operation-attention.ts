import type { Attention } from '@meshwork/contract';
import type { Stored } from '../../mesh/model.ts';
import type { Facts } from './facts.ts';

const LATELY_MS = 24 * 3600 * 1000;

/**
 * What was last asked of a node and came to nothing, in the last 24 hours: one of a kind for each node, and none that was
 * repeated with success since.
 */
export function lastFailures({ operations, model, now_ms }: Facts): readonly Stored<'operation'>[] {
  const last = new Map<string, Stored<'operation'>>();
  for (const operation of operations) {
    const { node, kind, state, ended_at } = operation.body;
    const key = `${node} ${kind}`;
    if (state === 'verified') last.delete(key);
    if (state !== 'failed' && state !== 'timed_out') continue;
    const isGone = kind !== 'remove' && (model.get('node', node)?.body.removed_at ?? null) !== null;
    if (!isGone && ended_at !== null && now_ms - Date.parse(ended_at) <= LATELY_MS) last.set(key, operation);
  }
  return [...last.values()];
}

export function* failedOperations(facts: Facts): Generator<Attention> {
  for (const { id, body } of lastFailures(facts)) {
    const words = body.kind.replaceAll('_', ' ');
    yield {
      kind: 'operation_failed',
      severity: 'warning',
      subject: { kind: 'operation', id, name: `${words} ${body.node_name}` },
      title: `${words} of ${body.node_name} ${body.state === 'failed' ? 'failed' : 'was not proven in time'}`,
      detail: body.reason ?? 'No heartbeat of the node has shown it.',
      since: body.ended_at,
      fix: 'See why in its reason and in the posture of the node, then ask for it again.',
    };
  }
}
