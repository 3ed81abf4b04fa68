import type {
  AppliedSection,
  Command,
  HeartbeatReply,
  IngressAssignment,
  RelaySection,
  SelfSection,
} from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import type { HeldPeers } from './held-peers.ts';

/** What a data plane is given: what should be. Absent: the node has not been told yet. */
export interface View<Peers extends HeldPeers> {
  readonly self: SelfSection | undefined;
  readonly peers: Peers;
  /** Null: none is assigned. */
  readonly relay: RelaySection | null | undefined;
  readonly ingress: readonly IngressAssignment[] | undefined;
  /** The revision that last brought a section. 0: none did. */
  revisionOf(section: AppliedSection): number;
  /** As the coordinator computes it from its own copy. */
  digestOf(section: AppliedSection): string;
}

/** Everything the coordinator has told this node, as of one revision. */
export class HeldView<Peers extends HeldPeers> implements View<Peers> {
  readonly peers: Peers;
  #revision = 0;
  #self: SelfSection | undefined;
  #relay: RelaySection | null | undefined;
  #ingress: readonly IngressAssignment[] | undefined;
  #commands: readonly Command[] = [];
  readonly #revisions: Record<AppliedSection, number> = { self: 0, peers: 0, relay: 0, ingress: 0 };

  constructor(peers: Peers) {
    this.peers = peers;
  }

  /** 0: nothing is held, and the coordinator tells everything. */
  get revision(): number {
    return this.#revision;
  }

  get self(): SelfSection | undefined {
    return this.#self;
  }

  get relay(): RelaySection | null | undefined {
    return this.#relay;
  }

  get ingress(): readonly IngressAssignment[] | undefined {
    return this.#ingress;
  }

  /** Those still to be done, by the coordinator's last word. */
  get commands(): readonly Command[] {
    return this.#commands;
  }

  /** Takes in an answer to a heartbeat that named the held revision, and says which sections it brought. */
  take(reply: HeartbeatReply): AppliedSection[] {
    const brought: AppliedSection[] = [];
    const bring = (section: AppliedSection) => {
      brought.push(section);
      this.#revisions[section] = reply.revision;
    };
    this.#revision = reply.revision;
    if (reply.self !== undefined) {
      this.#self = reply.self;
      bring('self');
    }
    if (reply.peers !== undefined) {
      this.#takePeers(reply.peers);
      bring('peers');
    }
    if (reply.relay !== undefined) {
      this.#relay = reply.relay;
      bring('relay');
    }
    if (reply.ingress !== undefined) {
      this.#ingress = reply.ingress;
      bring('ingress');
    }
    if (reply.commands !== undefined) this.#commands = reply.commands;
    return brought;
  }

  revisionOf(section: AppliedSection): number {
    return this.#revisions[section];
  }

  digestOf(section: AppliedSection): string {
    return digestText(this.#digest(section));
  }

  #digest(section: AppliedSection): number {
    switch (section) {
      case 'self':
        return this.#self === undefined ? EMPTY_DIGEST : digestOf(this.#self);
      case 'peers':
        return this.peers.digest;
      case 'relay':
        return digestOf(this.#relay ?? null);
      case 'ingress':
        return (this.#ingress ?? []).reduce((sum, item) => withItem(sum, digestOf(item)), EMPTY_DIGEST);
    }
  }

  #takePeers({ full, upsert, remove }: NonNullable<HeartbeatReply['peers']>): void {
    if (full !== undefined) this.peers.clear();
    for (const id of remove ?? []) this.peers.remove(id);
    for (const peer of full ?? []) this.peers.put(peer);
    for (const peer of upsert ?? []) this.peers.put(peer);
  }
}
