import type { NodeOperation } from '@meshwork/contract';
import { fields } from '../table.ts';
import { when } from '../when.ts';

/** An operation for people: what is null is left out. */
export function operationFields(operation: NodeOperation): string {
  const { requested_by, delivered_at, verified_at, ended_at, result_bytes } = operation;
  const pairs: [string, string | null][] = [
    ['id', operation.id],
    ['kind', operation.kind],
    ['node', `${operation.node_name} (${operation.node})`],
    ['state', operation.state],
    ['reason', operation.reason],
    ['waits for', operation.waits_for],
    ['requested', `${when(operation.requested_at)} by ${requested_by.name}`],
    ['delivered', delivered_at && when(delivered_at)],
    ['verified', verified_at && when(verified_at)],
    ['ended', verified_at === null && ended_at !== null ? when(ended_at) : null],
    ['deadline', ended_at === null ? when(operation.deadline) : null],
    ['answer', result_bytes === null ? null : `${result_bytes} bytes, which --json shows`],
    ...Object.entries(operation.detail).map(([name, value]): [string, string] => [name, JSON.stringify(value)]),
  ];
  return fields(pairs.filter((pair): pair is [string, string] => pair[1] !== null));
}
