import type { IngressDocument } from '../../kinds/ingress.ts';
import type { NodeDocument } from '../../kinds/nodes.ts';
import { IdIndex } from '../../mesh/id-index.ts';
import type { Model } from '../../mesh/model.ts';
import { ownPort } from '../../mesh/whole-ingress.ts';

/** Who serves which ingress, and who could: what keeps the cost of a change to what the change concerns. */
export class IngressIndexes {
  /** Nodes by what an ingress may call them: `tag:role:gateway`, `node:gw-1`. */
  readonly selected: IdIndex;
  /** Ingresses by gateway. */
  readonly placed: IdIndex;
  /** Ingresses by the gateways that drain off them. */
  readonly leaving: IdIndex;
  /** Ingresses with too few gateways, by what they call those that would do. */
  readonly short: IdIndex;
  /** The same, by the port that they need on one. */
  readonly short_of_port: IdIndex;
  /** Ingresses by a port that they have on a gateway: `portKey`. */
  readonly listening: IdIndex;

  constructor(model: Model, placed: IdIndex) {
    const gateways = (id: string) => model.get('placement', id)?.body.gateways ?? [];
    this.selected = new IdIndex(model, ['node'], (id) => {
      const node = model.get('node', id)?.body;
      return node === undefined || node.removed_at !== null ? [] : selectorsOf(node);
    });
    this.placed = placed;
    this.leaving = new IdIndex(model, ['placement'], (id) =>
      gateways(id).flatMap(({ node, draining }) => (draining ? [node] : [])),
    );
    const lacking = (id: string) => {
      const ingress = model.get('ingress', id)?.body;
      if (ingress === undefined || ingress.draining) return undefined;
      const serving = gateways(id).filter(({ draining }) => !draining).length;
      return serving < ingress.replicas ? ingress : undefined;
    };
    this.short = new IdIndex(model, ['ingress', 'placement'], (id) => lacking(id)?.gateways ?? []);
    this.short_of_port = new IdIndex(model, ['ingress', 'placement'], (id) => {
      const ingress = lacking(id);
      return ingress === undefined ? [] : portsOf(ingress);
    });
    this.listening = new IdIndex(model, ['ingress', 'placement'], (id) => {
      const ports = portsOf(model.get('ingress', id)?.body);
      return ports.flatMap((port) => gateways(id).map(({ node }) => portKey(node, port)));
    });
  }
}

/** A port of a gateway. */
export const portKey = (node: string, port: string) => `${node} ${port}`;

function portsOf(ingress: IngressDocument | undefined): readonly string[] {
  const port = ingress === undefined ? null : ownPort(ingress);
  return port === null ? [] : [port];
}

/** Everything that an ingress may call the node. */
export function selectorsOf({ name, tags }: NodeDocument): readonly string[] {
  return [`node:${name}`, ...tags.map((tag) => `tag:${tag}`)];
}
