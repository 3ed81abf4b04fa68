import type { NodeId, WholeSection } from '@meshwork/contract';
import type { Kind } from '../mesh/kinds.ts';
import type { Model } from '../mesh/model.ts';

/** What may be different for whom after one commit: noted while its documents come in, and looked at when all are there. */
export class Touched {
  /** Nodes that may have other peers. */
  readonly reach = new Set<NodeId>();
  /** Nodes of which others may be told something else. */
  readonly cards = new Set<NodeId>();
  /** Nodes that may have other sections of their own. */
  readonly own = new Set<NodeId>();
  /** Sections of every node. */
  readonly everybody = new Set<WholeSection>();
  policy = false;

  get isEmpty(): boolean {
    const { reach, cards, own, everybody, policy } = this;
    return !policy && reach.size + cards.size + own.size + everybody.size === 0;
  }

  /** That a document changed, by what follows from its kind alone. */
  note(model: Model, kind: Kind, id: string): void {
    switch (kind) {
      case 'liveness':
        this.reach.add(id as NodeId);
        break;
      case 'node':
      case 'report':
      case 'assignment':
        this.reach.add(id as NodeId);
        this.cards.add(id as NodeId);
        this.own.add(id as NodeId);
        break;
      case 'overlap': {
        const route = model.get('route', id)?.body; // they share their id
        if (route !== undefined) this.reach.add(route.provider);
        break;
      }
      case 'relay':
        this.everybody.add('relays');
        // Rare, and whoever uses it has to hear.
        for (const { id: node, body } of model.all('assignment')) if (body.relay === id) this.own.add(node as NodeId);
        break;
      case 'ingress':
        for (const { node } of model.get('placement', id)?.body.gateways ?? []) this.own.add(node);
        break;
      case 'policy':
        this.policy = true;
        break;
      case 'firewall':
        this.everybody.add('firewall');
        break;
      case 'settings':
        this.everybody.add('self'); // the networks that addresses are taken from
        this.everybody.add('relays'); // whether they may be at any address
        break;
    }
  }

  /** That a node forwards to other networks than before. */
  provider(node: NodeId): void {
    this.reach.add(node);
    this.own.add(node);
  }
}
