import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';

/** Who may forward to what, and who does: what keeps the cost of a change to what the change concerns. */
export class RouteIndexes {
  /** Members by the networks they are allowed to forward to. */
  readonly approved: IdIndex;
  /** Nodes that were not removed, members or not, by the networks they are allowed to forward to. */
  readonly claimed: IdIndex;
  /** What is known of networks that overlap one of another boundary, by the network. */
  readonly overlaps: IdIndex;
  /** Routes by the network they lead to: one for each boundary that has it. */
  readonly routes: IdIndex;

  constructor(model: Model) {
    this.approved = new IdIndex(model, ['node'], (id) => {
      const node = model.get('node', id)?.body;
      return node === undefined || !isMember(node) ? [] : node.routes_approved;
    });
    this.claimed = new IdIndex(model, ['node'], (id) => {
      const node = model.get('node', id)?.body;
      return node === undefined || node.removed_at !== null ? [] : node.routes_approved;
    });
    this.overlaps = new IdIndex(model, ['overlap'], (id) => {
      const overlap = model.get('overlap', id)?.body;
      return overlap === undefined ? [] : [overlap.cidr];
    });
    this.routes = new IdIndex(model, ['route'], (id) => {
      const route = model.get('route', id)?.body;
      return route === undefined ? [] : [route.cidr];
    });
  }
}
