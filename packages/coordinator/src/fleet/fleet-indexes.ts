import { carries } from '../mesh/abilities.ts';
import { IdIndex } from '../mesh/id-index.ts';
import type { NodeDocument } from '../mesh/kinds.ts';
import type { Model } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import { assignedNodes } from './assigned-nodes.ts';
import { servedIngresses } from './indexes-by-node.ts';

/** The one key of an index that is a mere set. */
const ALL = '';

/** Who is where, and who waits for what: the answers that keep the cost of a change to what the change concerns. */
export class FleetIndexes {
  /** Nodes by the relay they are assigned to. */
  readonly assigned: IdIndex;
  /** Members by the relay that somebody chose for them. */
  readonly pinned: IdIndex;
  /** Members by the networks they are allowed to forward to. */
  readonly approved: IdIndex;
  /** Nodes that were not removed, members or not, by the networks they are allowed to forward to. */
  readonly claimed: IdIndex;
  /** What is known of networks that overlap one of another boundary, by the network. */
  readonly overlaps: IdIndex;
  /** Routes by the network they lead to: one for each boundary that has it. */
  readonly routes: IdIndex;
  /** Members by what an ingress may call them: `tag:role:gateway`, `node:gw-1`. */
  readonly selected: IdIndex;
  /** Relays by the node that runs them. */
  readonly relays: IdIndex;
  /** Ingresses by gateway. */
  readonly placed: IdIndex;
  /** Ingresses by the gateways that drain off them. */
  readonly leaving: IdIndex;
  /** Ingresses with too few gateways, by what they call those that would do. */
  readonly short: IdIndex;
  readonly #waiting: IdIndex;

  constructor(model: Model) {
    const members = (keysOf: (node: NodeDocument) => readonly string[]) =>
      new IdIndex(model, ['node'], (id) => {
        const node = model.get('node', id)?.body;
        return node === undefined || !isMember(node) ? [] : keysOf(node);
      });
    const gateways = (id: string) => model.get('placement', id)?.body.gateways ?? [];
    this.assigned = assignedNodes(model);
    this.pinned = members(({ pinned_relay }) => (pinned_relay === null ? [] : [pinned_relay]));
    this.approved = members(({ routes_approved }) => routes_approved);
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
    this.selected = members(selectorsOf);
    this.relays = new IdIndex(model, ['relay'], (id) => {
      const relay = model.get('relay', id)?.body;
      return relay === undefined ? [] : [relay.node];
    });
    this.placed = servedIngresses(model);
    this.leaving = new IdIndex(model, ['placement'], (id) =>
      gateways(id).flatMap(({ node, draining }) => (draining ? [node] : [])),
    );
    this.short = new IdIndex(model, ['ingress', 'placement'], (id) => {
      const ingress = model.get('ingress', id)?.body;
      if (ingress === undefined || ingress.draining) return [];
      const serving = gateways(id).filter(({ draining }) => !draining).length;
      return serving < ingress.replicas ? ingress.gateways : [];
    });
    this.#waiting = new IdIndex(model, ['node', 'assignment', 'report'], (id) => {
      const node = model.get('node', id)?.body;
      if (node === undefined || !isMember(node) || !carries(model, id, 'relay')) return [];
      return model.get('assignment', id) === undefined ? [ALL] : [];
    });
  }

  /** Members that have no relay, and could use one. */
  get waiting(): ReadonlySet<string> {
    return this.#waiting.of(ALL);
  }
}

/** Everything that an ingress may call the node. */
export function selectorsOf({ name, tags }: NodeDocument): readonly string[] {
  return [`node:${name}`, ...tags.map((tag) => `tag:${tag}`)];
}
