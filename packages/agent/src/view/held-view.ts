import type { AppliedSection, Command, HeartbeatReply, SectionContent, WholeSection } from '@meshwork/contract';
import { digestText } from '@meshwork/contract/digest';
import { digestOfSection } from '@meshwork/contract/section-digest';
import { APPLIED_SECTIONS, isPeerSection, WHOLE_SECTIONS } from '@meshwork/contract/vocabulary';
import type { Held, HeldRecords } from './held-records.ts';

/** The sections that are sent whole. Absent: not received yet. */
type HeldSections = { readonly [S in WholeSection]?: SectionContent<S> };

/** What a data plane is given: what should be. */
export interface View<H extends Held = Held> {
  readonly sections: HeldSections;
  readonly peers: H['peers'];
  /** What is allowed with each peer. A peer without terms may do nothing here. */
  readonly acl: H['acl'];
  /** The revision that last brought a section. 0: none did. */
  revisionOf(section: AppliedSection): number;
  /** As the coordinator computes it from its own copy. */
  digestOf(section: AppliedSection): string;
}

/** Everything the coordinator has sent to this node, as of one revision. */
export class HeldView<H extends Held = Held> implements View<H> {
  readonly peers: H['peers'];
  readonly acl: H['acl'];
  #revision = 0;
  #sections: HeldSections = {};
  readonly #revisions: Partial<Record<AppliedSection, number>> = {};

  constructor({ peers, acl }: H) {
    this.peers = peers;
    this.acl = acl;
  }

  /** 0: nothing is held, and the coordinator sends everything. */
  get revision(): number {
    return this.#revision;
  }

  get sections(): HeldSections {
    return this.#sections;
  }

  /** Those still to be done, by the coordinator's last word. */
  get commands(): readonly Command[] {
    return this.#sections.commands ?? [];
  }

  /** Takes in an answer to a heartbeat that named the held revision, and says which sections it brought. */
  take(reply: HeartbeatReply): AppliedSection[] {
    const { revision } = reply;
    this.#revision = revision;
    const brought = WHOLE_SECTIONS.filter((section) => reply[section] !== undefined);
    this.#sections = { ...this.#sections, ...Object.fromEntries(brought.map((section) => [section, reply[section]])) };
    if (reply.peers !== undefined) takeRecords(this.peers, reply.peers);
    if (reply.acl !== undefined) takeRecords(this.acl, reply.acl);
    const applied = APPLIED_SECTIONS.filter((section) => reply[section] !== undefined);
    for (const section of applied) this.#revisions[section] = revision;
    return applied;
  }

  revisionOf(section: AppliedSection): number {
    return this.#revisions[section] ?? 0;
  }

  digestOf(section: AppliedSection): string {
    const digest = isPeerSection(section) ? this[section].digest : digestOfSection(section, this.#sections[section]);
    return digestText(digest);
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
