import { DELEGATE, OPERATION_IDS, OPERATIONS, type Operation, type OperationId, proxiedPath } from '@meshwork/contract';

export interface Proxied {
  readonly id: OperationId;
  readonly operation: Operation;
  /** At the panel, with parameters in braces. */
  readonly path: string;
}

/** The operations of the coordinator that people can call through the panel: all that a token may call, and no others. */
export const PROXIED: readonly Proxied[] = OPERATION_IDS.flatMap((id) => {
  const operation: Operation = OPERATIONS[id];
  const path = proxiedPath(operation.path);
  return path !== undefined && isForPeople(operation) ? [{ id, operation, path }] : [];
});

/** Not the operations of nodes, nor their authentication (a change that needs no permission), nor delegation. */
function isForPeople({ caller, permission, method }: Operation): boolean {
  return caller === undefined && permission !== DELEGATE && (permission !== null || method === 'GET');
}
