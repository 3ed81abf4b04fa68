import { isOpen } from '@meshwork/contract';
import { IdIndex } from '../mesh/id-index.ts';
import type { Model } from '../mesh/model.ts';

/** The operations on each node that are under way. */
export function openOperations(model: Model): IdIndex {
  return new IdIndex(model, ['operation'], (id) => {
    const operation = model.get('operation', id)?.body;
    return operation === undefined || !isOpen(operation.state) ? [] : [operation.node];
  });
}

/** The ingresses that are placed on each gateway. */
export function servedIngresses(model: Model): IdIndex {
  return new IdIndex(model, ['placement'], (id) =>
    (model.get('placement', id)?.body.gateways ?? []).map(({ node }) => node),
  );
}
