import { DELEGATE, OPERATION_IDS, OPERATIONS, type Operation, type OperationId, proxiedPath } from '@meshwork/contract';

export interface Proxied {
  readonly id: OperationId;
  readonly operation: Operation;
  /** At the panel, with parameters in braces. */
  readonly path: string;
}

/** What people can ask the coordinator for through the panel: everything that a token may, and nothing beside it. */
export const PROXIED: readonly Proxied[] = OPERATION_IDS.flatMap((id) => {
  const operation: Operation = OPERATIONS[id];
  const path = proxiedPath(operation.path);
  return path !== undefined && isForPeople(operation) ? [{ id, operation, path }] : [];
});

/** Not what nodes say, nor where they prove who they are (a change that needs no permission), nor speaking for others. */
function isForPeople({ caller, permission, method }: Operation): boolean {
  return caller === undefined && permission !== DELEGATE && (permission !== null || method === 'GET');
}
