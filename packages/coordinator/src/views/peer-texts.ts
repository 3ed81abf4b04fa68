import type { NodeId, PeerSection } from '@meshwork/contract';
import type { NodeView } from './node-view.ts';
import type { PeerCards } from './peer-cards.ts';
import { type Reach, termsBetween } from './reach.ts';
import { isNothing, termsJson } from './terms-text.ts';

/**
 * What a node is sent about its peers, as members of the answer: who they are, and apart from that what is allowed with
 * them.
 */
export class PeerTexts {
  readonly #reach: Reach;
  readonly #cards: PeerCards;

  constructor(reach: Reach, cards: PeerCards) {
    this.#reach = reach;
    this.#cards = cards;
  }

  /** Of all of them. */
  full(node: NodeId): string {
    const cards: string[] = [];
    const terms: string[] = [];
    const cohort = this.#reach.cohortOf(node);
    for (const peers of cohort === undefined ? [] : this.#reach.peersOf(cohort)) {
      const allowed = cohort === undefined ? undefined : this.#reach.terms(cohort, peers);
      for (const peer of peers.members) {
        const card = peer === node ? undefined : this.#cards.get(peer);
        if (card === undefined) continue;
        cards.push(card.json);
        if (allowed !== undefined && !isNothing(allowed)) terms.push(termsJson(peer, allowed));
      }
    }
    return `"peers":{"full":[${cards.join(',')}]},"acl":{"full":[${terms.join(',')}]}`;
  }

  /** Of those that there is something new about. */
  since(view: NodeView, section: PeerSection, held: number): string {
    const upsert: string[] = [];
    const remove: string[] = [];
    for (const peer of view.peersSince(section, held)) {
      const record = this.#record(view.id, section, peer);
      if (record === undefined) remove.push(`"${peer}"`);
      else upsert.push(record);
    }
    const parts: string[] = [];
    if (upsert.length > 0) parts.push(`"upsert":[${upsert.join(',')}]`);
    if (remove.length > 0) parts.push(`"remove":[${remove.join(',')}]`);
    return `"${section}":{${parts.join(',')}}`;
  }

  /** Undefined: the node is sent nothing about it, or nothing any more. */
  #record(node: NodeId, section: PeerSection, peer: NodeId): string | undefined {
    const terms = termsBetween(this.#reach, node, peer);
    if (terms === undefined) return undefined;
    if (section === 'peers') return this.#cards.get(peer)?.json;
    return isNothing(terms) ? undefined : termsJson(peer, terms);
  }
}
