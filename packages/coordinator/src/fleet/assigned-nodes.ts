import type { Model } from '../mesh/model.ts';
import { GroupedIds } from './grouped-ids.ts';

/** The nodes of each relay, by its name. */
export function assignedNodes(model: Model): GroupedIds {
  return new GroupedIds(model, ['assignment'], (id) => {
    const assignment = model.get('assignment', id);
    return assignment === undefined ? [] : [assignment.body.relay];
  });
}
