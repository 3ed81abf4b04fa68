import { MeshError } from '@meshwork/contract';
import { StoreError } from '@meshwork/store';

/**
 * What a failure of the store means to a caller; undefined when it is a bug of ours. The store's own words stay in the
 * cause, for the log: they may name files, hosts and users.
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
