import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';

/** The nodes of each relay, by its name. */
export function assignedNodes(model: Model): IdIndex {
  return new IdIndex(model, ['assignment'], (id) => {
    const assignment = model.get('assignment', id);
    return assignment === undefined ? [] : [assignment.body.relay];
  });
}
