import type {
  AppliedSection,
  Command,
  HeartbeatReply,
  Peer,
  PeerTerms,
  SectionContent,
  WholeSection,
} from '@meshwork/contract';
import { digestText } from '@meshwork/contract/digest';
import { digestOfSection } from '@meshwork/contract/section-digest';
import { APPLIED_SECTIONS, isPeerSection, WHOLE_SECTIONS } from '@meshwork/contract/vocabulary';

/** The sections that are sent whole. Absent: not received yet. */
type ReceivedSections = { readonly [S in WholeSection]?: SectionContent<S> };

/** What is kept of the records of one section. */
interface RecordSet<R> {
  readonly size: number;
  /** Of all of them together. */
  readonly digest: number;
  ids(): Iterable<string>;
  has(id: string): boolean;
  /** New, or in place of the one with the same id. */
  put(record: R): void;
  remove(id: string): void;
  clear(): void;
}

/** Takes the coordinator's answers in, as of one revision. A subclass says what it keeps of the records of peers. */
export abstract class ReceivedView {
  abstract readonly peers: RecordSet<Peer>;
  /** What is allowed with each peer. A peer without terms may do nothing here. */
  abstract readonly acl: RecordSet<PeerTerms>;
  #revision = 0;
  #sections: ReceivedSections = {};
  readonly #revisions: Partial<Record<AppliedSection, number>> = {};

  /** 0: nothing is held, and the coordinator sends everything. */
  get revision(): number {
    return this.#revision;
  }

  get sections(): ReceivedSections {
    return this.#sections;
  }

  /** Those still to be done, by the coordinator's last answer. */
  get commands(): readonly Command[] {
    return this.#sections.commands ?? [];
  }

  /** Takes in an answer to a heartbeat that named the held revision. Returns the sections that it brought. */
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

  /** The revision that last brought a section. 0: none did. */
  revisionOf(section: AppliedSection): number {
    return this.#revisions[section] ?? 0;
  }

  /** As the coordinator computes it from its own copy. */
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

function takeRecords<R>(set: RecordSet<R>, { full, upsert, remove }: RecordsSection<R>): void {
  if (full !== undefined) set.clear();
  for (const id of remove ?? []) set.remove(id);
  for (const record of full ?? []) set.put(record);
  for (const record of upsert ?? []) set.put(record);
}
