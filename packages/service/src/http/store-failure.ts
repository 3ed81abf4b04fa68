import { MeshError } from '@meshwork/contract';
import { StoreError } from '@meshwork/store';

/**
 * The error that a caller gets for a failure of the store; undefined for a bug. The store's own message stays in the cause, for
 * the log: it may name files, hosts and users.
 */
export function storeFailure(error: unknown): MeshError | undefined {
  if (!(error instanceof StoreError)) return undefined;
  switch (error.fault) {
    case 'unavailable':
    case 'full':
      return new MeshError('store_unavailable', 'The store cannot be reached, and nothing was written.', {
        cause: error,
        retry_after_s: 2,
      });
    case 'outcome_unknown':
      return new MeshError('outcome_unknown', 'The store was lost during the write. Look whether it took effect.', {
        cause: error,
      });
    default:
      return undefined;
  }
}
