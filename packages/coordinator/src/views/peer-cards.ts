import { isUsableEndpoint } from '@meshwork/addresses';
import type { NodeId, Peer } from '@meshwork/contract';
import { digestOfText } from '@meshwork/contract/digest';
import type { View } from '../mesh/model.ts';
import { isMember } from '../mesh/node-state.ts';
import { offeredServices } from '../mesh/offered-services.ts';

/** What peers are sent about a node, serialised once and sent to each of them as it is. */
interface PeerCard {
  readonly json: string;
  readonly digest: number;
  /** Of the id alone, which what is allowed with the node is counted under. */
  readonly id_digest: number;
}

/** What peers were sent about a node, and what they are sent now. Undefined: nothing. */
export interface CardChange {
  readonly before: PeerCard | undefined;
  readonly after: PeerCard | undefined;
}

/** One card for every node that can be a peer. */
export class PeerCards {
  readonly #view: View;
  readonly #cards = new Map<NodeId, PeerCard>();

  constructor(view: View) {
    this.#view = view;
  }

  get(node: NodeId): PeerCard | undefined {
    return this.#cards.get(node);
  }

  clear(): void {
    this.#cards.clear();
  }

  /** Writes the card anew. Undefined: nothing that others see has changed. */
  rewrite(node: NodeId): CardChange | undefined {
    const before = this.#cards.get(node);
    const json = this.#json(node);
    if (before?.json === json) return undefined;
    const after =
      json === undefined
        ? undefined
        : { json, digest: digestOfText(json), id_digest: before?.id_digest ?? digestOfText(node) };
    if (after === undefined) this.#cards.delete(node);
    else this.#cards.set(node, after);
    return { before, after };
  }

  #json(id: NodeId): string | undefined {
    const node = this.#view.get('node', id)?.body;
    if (node === undefined || !isMember(node)) return undefined;
    const report = this.#view.get('report', id)?.body;
    const peer: Peer = {
      id,
      name: node.name,
      wireguard_key: node.wireguard_key,
      address: `${node.address}/32`,
      address6: `${node.address6}/128`,
      endpoints: (report?.endpoints ?? []).filter(isUsableEndpoint), // older reports have others
      ...(report?.relayed === undefined ? {} : { relayed: [...report.relayed] }),
      relay: this.#view.get('assignment', id)?.body.relay ?? null,
      ...offeredServices(this.#view, id),
    };
    return JSON.stringify(peer);
  }
}
