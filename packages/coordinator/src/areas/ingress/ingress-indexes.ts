import type { NodeDocument } from '../../kinds/nodes.ts';
import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import { isMember } from '../../mesh/node-state.ts';

/** Who serves which ingress, and who could: what keeps the cost of a change to what the change concerns. */
export class IngressIndexes {
  /** Members by what an ingress may call them: `tag:role:gateway`, `node:gw-1`. */
  readonly selected: IdIndex;
  /** Ingresses by gateway. */
  readonly placed: IdIndex;
  /** Ingresses by the gateways that drain off them. */
  readonly leaving: IdIndex;
  /** Ingresses with too few gateways, by what they call those that would do. */
  readonly short: IdIndex;

  constructor(model: Model, placed: IdIndex) {
    const gateways = (id: string) => model.get('placement', id)?.body.gateways ?? [];
    this.selected = new IdIndex(model, ['node'], (id) => {
      const node = model.get('node', id)?.body;
      return node === undefined || !isMember(node) ? [] : selectorsOf(node);
    });
    this.placed = placed;
    this.leaving = new IdIndex(model, ['placement'], (id) =>
      gateways(id).flatMap(({ node, draining }) => (draining ? [node] : [])),
    );
    this.short = new IdIndex(model, ['ingress', 'placement'], (id) => {
      const ingress = model.get('ingress', id)?.body;
      if (ingress === undefined || ingress.draining) return [];
      const serving = gateways(id).filter(({ draining }) => !draining).length;
      return serving < ingress.replicas ? ingress.gateways : [];
    });
  }
}

/** Everything that an ingress may call the node. */
export function selectorsOf({ name, tags }: NodeDocument): readonly string[] {
  return [`node:${name}`, ...tags.map((tag) => `tag:${tag}`)];
}
