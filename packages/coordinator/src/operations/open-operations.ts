import { isOpen } from '@meshwork/contract';
import { IdIndex } from '../mesh/id-index.ts';
import type { Model } from '../mesh/model.ts';
import { OPERATION_KINDS } from './operation-kinds.ts';

/** Keys of the index that are no node. */
const ALL = 'all';
const BY_PEERS = 'by peers';

/** The operations that are under way. */
export class OpenOperations {
  readonly #index: IdIndex;

  constructor(model: Model) {
    this.#index = new IdIndex(model, ['operation'], (id) => {
      const operation = model.get('operation', id)?.body;
      if (operation === undefined || !isOpen(operation.state)) return [];
      const { witness } = OPERATION_KINDS[operation.kind];
      return [operation.node, ALL, ...(witness === 'peers' ? [BY_PEERS] : [])];
    });
  }

  of(node: string): ReadonlySet<string> {
    return this.#index.of(node);
  }

  get all(): ReadonlySet<string> {
    return this.#index.of(ALL);
  }

  /** Those that the peers of their node have to prove. */
  get provenByPeers(): ReadonlySet<string> {
    return this.#index.of(BY_PEERS);
  }
}
