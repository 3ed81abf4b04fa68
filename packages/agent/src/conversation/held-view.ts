import {
  APPLIED_SECTIONS,
  type AppliedSection,
  type Command,
  type FirewallSection,
  type HeartbeatReply,
  type IngressAssignment,
  type RelaySection,
  type RelaysSection,
  type SelfSection,
} from '@meshwork/contract';
import { digestOf, digestText, EMPTY_DIGEST, withItem } from '@meshwork/contract/digest';
import type { Held, HeldRecords } from './held-records.ts';

/** What a data plane is given: what should be. Absent: the node has not been told yet. */
export interface View<H extends Held = Held> {
  readonly self: SelfSection | undefined;
  readonly peers: H['peers'];
  /** What is allowed with each peer. A peer without terms may do nothing here. */
  readonly acl: H['acl'];
  /** In order: the first rule that decides does. */
  readonly firewall: Readonly<FirewallSection> | undefined;
  /** Null: none is assigned. */
  readonly relay: RelaySection | null | undefined;
  readonly ingress: readonly IngressAssignment[] | undefined;
  /** Relays to measure. */
  readonly relays: Readonly<RelaysSection>;
  /** The revision that last brought a section. 0: none did. */
  revisionOf(section: AppliedSection): number;
  /** As the coordinator computes it from its own copy. */
  digestOf(section: AppliedSection): string;
}

/** Everything the coordinator has told this node, as of one revision. */
export class HeldView<H extends Held = Held> implements View<H> {
  readonly peers: H['peers'];
  readonly acl: H['acl'];
  #revision = 0;
  #self: SelfSection | undefined;
  #firewall: Readonly<FirewallSection> | undefined;
  #relay: RelaySection | null | undefined;
  #ingress: readonly IngressAssignment[] | undefined;
  #relays: Readonly<RelaysSection> = [];
  #commands: readonly Command[] = [];
  readonly #revisions: Record<AppliedSection, number> = {
    self: 0,
    peers: 0,
    acl: 0,
    firewall: 0,
    relay: 0,
    ingress: 0,
  };

  constructor({ peers, acl }: H) {
    this.peers = peers;
    this.acl = acl;
  }

  /** 0: nothing is held, and the coordinator tells everything. */
  get revision(): number {
    return this.#revision;
  }

  get self(): SelfSection | undefined {
    return this.#self;
  }

  get firewall(): Readonly<FirewallSection> | undefined {
    return this.#firewall;
  }

  get relay(): RelaySection | null | undefined {
    return this.#relay;
  }

  get ingress(): readonly IngressAssignment[] | undefined {
    return this.#ingress;
  }

  get relays(): Readonly<RelaysSection> {
    return this.#relays;
  }

  /** Those still to be done, by the coordinator's last word. */
  get commands(): readonly Command[] {
    return this.#commands;
  }

  /** Takes in an answer to a heartbeat that named the held revision, and says which sections it brought. */
  take(reply: HeartbeatReply): AppliedSection[] {
    const { revision, self, peers, acl, firewall, relay, ingress, relays, commands } = reply;
    this.#revision = revision;
    if (self !== undefined) this.#self = self;
    if (peers !== undefined) takeRecords(this.peers, peers);
    if (acl !== undefined) takeRecords(this.acl, acl);
    if (firewall !== undefined) this.#firewall = firewall;
    if (relay !== undefined) this.#relay = relay;
    if (ingress !== undefined) this.#ingress = ingress;
    if (relays !== undefined) this.#relays = relays;
    if (commands !== undefined) this.#commands = commands;
    const brought = APPLIED_SECTIONS.filter((section) => reply[section] !== undefined);
    for (const section of brought) this.#revisions[section] = revision;
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
      case 'acl':
        return this.acl.digest;
      case 'firewall':
        return digestOf(this.#firewall ?? []); // as a whole: a sum would not tell the order
      case 'relay':
        return digestOf(this.#relay ?? null);
      case 'ingress':
        return (this.#ingress ?? []).reduce((sum, item) => withItem(sum, digestOf(item)), EMPTY_DIGEST);
    }
  }
}

/** Records as a section brings them: all of them, or the difference. */
interface RecordsSection<R> {
  readonly full?: readonly R[];
  readonly upsert?: readonly R[];
  readonly remove?: readonly string[];
}

function takeRecords<R>(held: HeldRecords<R>, { full, upsert, remove }: RecordsSection<R>): void {
  if (full !== undefined) held.clear();
  for (const id of remove ?? []) held.remove(id);
  for (const record of full ?? []) held.put(record);
  for (const record of upsert ?? []) held.put(record);
}
