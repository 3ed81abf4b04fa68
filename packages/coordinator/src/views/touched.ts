import type { NodeId, WholeSection } from '@meshwork/contract';
import type { Kind } from '../kinds/kinds.ts';
import type { Changed, Model } from '../mesh/model.ts';
import type { SectionTouch } from './section-source.ts';

/** What may be different for whom after one commit: noted while its documents come in, and looked at when all are there. */
export class Touched {
  /** Nodes that may have other peers. */
  readonly reach = new Set<NodeId>();
  /** Nodes whose peers may have to be sent something else about them. */
  readonly cards = new Set<NodeId>();
  /** Nodes for which a section may be another. */
  readonly sections = new Map<WholeSection, Set<NodeId>>();
  /** Sections that may be another for every node. */
  readonly everywhere = new Set<WholeSection>();
  /** Nodes that are to be answered with a section whether it changed or not. */
  readonly answers = new Map<WholeSection, Set<NodeId>>();
  policy = false;

  get isEmpty(): boolean {
    const { reach, cards, sections, everywhere, answers, policy } = this;
    return !policy && reach.size + cards.size + sections.size + everywhere.size + answers.size === 0;
  }

  /** Notes whom a change concerns as a peer. */
  note<K extends Kind>({ kind, id, before, after }: Changed<K>, model: Model): void {
    switch (kind) {
      case 'liveness':
        this.reach.add(id as NodeId);
        break;
      case 'node':
      case 'report':
      case 'assignment':
        this.reach.add(id as NodeId);
        this.cards.add(id as NodeId);
        break;
      case 'overlap': {
        const route = model.get('route', id)?.body; // they share their id
        if (route !== undefined) this.reach.add(route.provider);
        break;
      }
      case 'route':
        for (const route of [before, after] as Changed<'route'>['after'][]) {
          if (route !== undefined) this.reach.add(route.body.provider);
        }
        break;
      case 'policy':
        this.policy = true;
        break;
    }
  }

  touchOf(section: WholeSection): SectionTouch {
    return {
      node: (id) => put(this.sections, section, id as NodeId),
      allNodes: () => void this.everywhere.add(section),
      answer: (id) => put(this.answers, section, id as NodeId),
    };
  }
}

function put(sets: Map<WholeSection, Set<NodeId>>, section: WholeSection, node: NodeId): void {
  const set = sets.get(section);
  if (set === undefined) sets.set(section, new Set([node]));
  else set.add(node);
}
