/** What nftables announces when its rule set changes, gathered by commit. The numbers are those of linux/netfilter/nf_tables.h. */
import { attribute, messagesIn, textOf } from '../../host/netlink-message.ts';

/** One commit: all that it changed takes effect at once, by one process. */
interface Commit {
  /** By which program, in words: `nft (process 16869)`. */
  readonly by: string;
  readonly pid: number;
  /** What it did to the table, in words, such as `deleted the table`. Undefined: nothing. */
  readonly ours: string | undefined;
  /** Whether it changed other tables. */
  readonly elsewhere: boolean;
}

const SUBSYSTEM = 10;
const NEW_GENERATION = 15;
/** `nfgenmsg`: family, version, resource. */
const FIXED_BYTES = 4;
const INET = 1;
const DORMANT = 1;

interface Kind {
  readonly what: 'table' | 'chain' | 'rule' | 'set' | 'element' | 'object';
  readonly verb: 'added' | 'deleted';
}

const KINDS: ReadonlyMap<number, Kind> = new Map([
  [0, { what: 'table', verb: 'added' }],
  [2, { what: 'table', verb: 'deleted' }],
  [3, { what: 'chain', verb: 'added' }],
  [5, { what: 'chain', verb: 'deleted' }],
  [6, { what: 'rule', verb: 'added' }],
  [8, { what: 'rule', verb: 'deleted' }],
  [9, { what: 'set', verb: 'added' }],
  [11, { what: 'set', verb: 'deleted' }],
  [12, { what: 'element', verb: 'added' }],
  [14, { what: 'element', verb: 'deleted' }],
  [18, { what: 'object', verb: 'added' }],
  [20, { what: 'object', verb: 'deleted' }],
]);

const [TABLE_NAME, TABLE_FLAGS, GENERATION_PID, GENERATION_NAME] = [1, 2, 2, 3];

/** Reads the kernel's messages about nftables with one table in view. */
export class NftEvents {
  readonly #table: string;
  /** Which tables count for nothing: others of our own. */
  readonly #isIgnored: (table: string) => boolean;
  #changes = new Map<string, number>();
  #table_is: 'deleted' | 'added' | 'off' | undefined;
  #elsewhere = false;

  constructor(table: string, isIgnored: (table: string) => boolean) {
    this.#table = table;
    this.#isIgnored = isIgnored;
  }

  /** The commits that end in this datagram. */
  take(datagram: Buffer): readonly Commit[] {
    const commits: Commit[] = [];
    for (const { type, body } of messagesIn(datagram)) {
      if (type >> 8 !== SUBSYSTEM) continue;
      if ((type & 0xff) === NEW_GENERATION) commits.push(this.#end(body));
      else this.#note(type & 0xff, body);
    }
    return commits;
  }

  /** Some messages were lost. */
  forget(): void {
    this.#changes = new Map();
    this.#table_is = undefined;
    this.#elsewhere = false;
  }

  #note(type: number, body: Buffer): void {
    const table = textOf(attribute(body, FIXED_BYTES, TABLE_NAME));
    if (body.readUInt8(0) !== INET || table !== this.#table) {
      this.#elsewhere ||= !this.#isIgnored(table);
      return;
    }
    const kind = KINDS.get(type);
    if (kind?.what === 'table') this.#table_is = tableIs(kind.verb, body);
    const name = kind === undefined ? 'changed something' : `${kind.verb} ${kind.what}`;
    this.#changes.set(name, (this.#changes.get(name) ?? 0) + 1);
  }

  #end(body: Buffer): Commit {
    const pid = attribute(body, FIXED_BYTES, GENERATION_PID)?.readUInt32BE(0) ?? 0;
    const program = textOf(attribute(body, FIXED_BYTES, GENERATION_NAME)) || 'a program';
    const commit = { by: `${program} (process ${pid})`, pid, ours: this.#words(), elsewhere: this.#elsewhere };
    this.forget();
    return commit;
  }

  #words(): string | undefined {
    if (this.#table_is === 'deleted') return 'deleted the table';
    if (this.#table_is === 'off') return 'switched the table off (dormant)';
    if (this.#changes.size === 0) return undefined;
    return [...this.#changes].map(([name, count]) => (count === 1 ? `${name}` : `${name}s (${count})`)).join(', ');
  }
}

/** The last word counts: a table can be deleted and made anew in one commit. */
function tableIs(verb: Kind['verb'], body: Buffer): 'deleted' | 'added' | 'off' {
  if (verb === 'deleted') return 'deleted';
  const flags = attribute(body, FIXED_BYTES, TABLE_FLAGS)?.readUInt32BE(0) ?? 0;
  return (flags & DORMANT) === DORMANT ? 'off' : 'added';
}
