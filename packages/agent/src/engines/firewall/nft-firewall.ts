import { createHash } from 'node:crypto';
import { NODE_TABLE } from '@meshwork/contract/vocabulary';
import {
  type CompiledNode,
  compileNode,
  type NodeInput,
  type TableContent,
  tableChange,
} from '@meshwork/policy/firewall';
import { InTurn } from '../../host/in-turn.ts';
import { NftTable } from '../../host/nft-table.ts';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import { type Denied, DeniedPackets } from './denied-packets.ts';
import type { FirewallChange, NodeFirewall } from './node-firewall.ts';
import { elementDifferences, flagDifferences, inWords, structureDifferences } from './table-differences.ts';
import { elementsCheck, withElements } from './table-elements.ts';
import { readCounters, readListing, type TableListing } from './table-listing.ts';
import { shapeOf, shapeProblems } from './table-shape.ts';

/** What named counters have counted, which `nft -s` tells all the same. */
const COUNTS = /"packets": \d+, "bytes": \d+/g;
/** The table itself comes first in a listing. */
const HAS_FLAGS = /^[^[]*\[[^\]]*?\{"table": \{[^}]*"flags"/;

/**
 * The agent’s table of nftables. A newly started agent does not trust what it finds: its first `apply` replaces the table
 * of its predecessor at once, and flows that are still granted do not notice.
 *
 * How nftables lists a rule differs from how we write it, and from one release to the next. So the listing right after a
 * table was loaded is what later ones are compared with, once it is known to have the shape of what was loaded.
 */
export class NftFirewall implements NodeFirewall {
  readonly #table: NftTable;
  readonly #name: string;
  readonly #turns = new InTurn();
  readonly #denied = new DeniedPackets();
  /** What was last asked for, be it in effect or not. */
  #wanted: TableContent | undefined;
  /** What was in effect when it was last read back. Undefined: not known, so the next change replaces everything. */
  #held: TableContent | undefined;
  /** Whether another program is known to have changed the table: what it counted before is as it was last read. */
  #isDistrusted = false;
  /** Rises with each table: what one has counted is not the next one's. */
  #tables = 0;
  /** How nftables lists a table of this structure. */
  #known: { readonly structure: string; readonly listing: TableListing } | undefined;
  /** Of the listing that was last found to be what is wanted: an equal one needs no second look. */
  #rightDigest: string | undefined;

  constructor({ run = runCommand, table = NODE_TABLE }: { readonly run?: RunCommand; readonly table?: string } = {}) {
    this.#name = table;
    this.#table = new NftTable(table, run);
  }

  async apply(input: NodeInput): Promise<void> {
    if (input.table !== this.#name) throw new Error(`This firewall keeps the table ${this.#name}, not ${input.table}.`);
    const compiled = compileNode(input);
    await this.#turns.take(async () => {
      this.#wanted = compiled;
      if (this.#isDistrusted) this.#held = undefined;
      // Read back when it was loaded, and looked after by `drift` since: ten thousand peers take a second to list.
      if (this.#held !== undefined && tableChange(this.#held, compiled) === '') return;
      this.#rightDigest = undefined;
      if (!(await this.#changed(compiled))) await this.#replace(compiled);
      this.#held = compiled;
    });
  }

  async change({ frame, before, after }: FirewallChange): Promise<boolean> {
    const [gone, come] = [compileNode({ ...frame, peers: before }), compileNode({ ...frame, peers: after })];
    return await this.#turns.take(async () => {
      const held = this.#isDistrusted ? undefined : this.#held;
      const change = held?.structure === come.structure ? tableChange(gone, come) : undefined;
      const next = held === undefined || change === undefined ? undefined : withElements(held, gone.sets, come.sets);
      if (change === undefined || next === undefined) return false;
      if (change === '') return true;
      this.#wanted = next;
      this.#held = undefined;
      this.#rightDigest = undefined;
      try {
        await this.#table.load(change);
        await this.#table.check(elementsCheck(this.#name, gone.sets, come.sets));
      } catch (error) {
        // The table is not what we took it for. Replacing it mends that.
        if (error instanceof CommandError) return false;
        throw error;
      }
      this.#held = next;
      return true;
    });
  }

  drift(): Promise<string | null> {
    return this.#turns.take(async () => {
      const held = this.#held;
      this.#held = undefined; // unless it is found to be right, whatever is applied next replaces it
      const difference = this.#wanted === undefined ? null : await this.#difference(this.#wanted);
      if (difference === null) this.#held = held;
      return difference;
    });
  }

  isOwn(pid: number): boolean {
    return this.#table.isOwn(pid);
  }

  distrust(): void {
    this.#isDistrusted = true;
    this.#rightDigest = undefined;
  }

  /**
   * Beside what is being changed: with ten thousand peers `nft` takes most of a second for it. What was read of a table that
   * has been replaced meanwhile counts for nothing.
   */
  async denied(): Promise<Denied> {
    const table = this.#tables;
    const text = await this.#table.counters();
    return table === this.#tables ? this.#counted(text) : this.#denied.last;
  }

  remove(): Promise<void> {
    return this.#turns.take(async () => {
      await this.#count();
      await this.#table.delete();
      this.#tables += 1;
      this.#denied.replaced();
      this.#wanted = undefined;
      this.#held = undefined;
    });
  }

  /** By elements alone. False: that is not enough, or did not lead to what was asked for. */
  async #changed(compiled: CompiledNode): Promise<boolean> {
    const change = this.#held === undefined ? undefined : tableChange(this.#held, compiled);
    if (change === undefined) return false;
    this.#held = undefined;
    try {
      if (change !== '') await this.#table.load(change);
    } catch (error) {
      // Another program changed the table. Replacing it repairs that, and fails with the reason when something else is wrong.
      if (error instanceof CommandError) return false;
      throw error;
    }
    return (await this.#difference(compiled)) === null;
  }

  async #replace(compiled: CompiledNode): Promise<void> {
    // What a table of an earlier agent counted was reported by that agent.
    if (this.#known !== undefined && !this.#isDistrusted) await this.#count();
    this.#isDistrusted = false; // before it is loaded: what is changed after that is noticed by reading back, or anew
    this.#held = undefined;
    this.#tables += 1;
    await this.#table.load(compiled.text);
    this.#denied.replaced();
    const { text, flags } = await this.#listed();
    if (text !== null && this.#known?.structure !== compiled.structure) this.#learn(compiled, readListing(text));
    const difference = flags.length > 0 ? inWords(flagDifferences(flags)) : this.#compare(compiled, text);
    if (difference !== null) throw new Error(`The packet filter was loaded and is not in effect: ${difference}.`);
  }

  #learn({ structure }: CompiledNode, listing: TableListing): void {
    const problem = inWords(shapeProblems(shapeOf(structure), listing));
    if (problem !== null) throw new Error(`The packet filter was changed by another program meanwhile: ${problem}.`);
    this.#known = { structure, listing: { ...listing, elements: new Map() } };
  }

  async #difference(wanted: TableContent): Promise<string | null> {
    const { text, flags } = await this.#listed();
    return flags.length > 0 ? inWords(flagDifferences(flags)) : this.#compare(wanted, text);
  }

  /** nft 1.0.6 writes something else for the flags of a table as JSON, or crashes: that there are some is all that counts. */
  async #listed(): Promise<{ readonly text: string | null; readonly flags: readonly string[] }> {
    let text: string | null = null;
    let failure: CommandError | undefined;
    try {
      text = await this.#table.list();
      if (text === null || !HAS_FLAGS.test(text)) return { text, flags: [] };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      failure = error;
    }
    const flags = await this.#table.flags();
    if (failure !== undefined && flags.length === 0) throw failure;
    return { text, flags };
  }

  #compare(wanted: TableContent, text: string | null): string | null {
    if (text === null) return 'the table is not there';
    const digest = createHash('sha256').update(text.replace(COUNTS, '')).digest('base64');
    if (digest === this.#rightDigest) return null;
    const listing = readListing(text);
    const difference = inWords([
      ...this.#structureDifferences(wanted, listing),
      ...elementDifferences(wanted.sets, listing),
    ]);
    if (difference === null) this.#rightDigest = digest;
    return difference;
  }

  #structureDifferences({ structure }: TableContent, listing: TableListing): readonly string[] {
    if (this.#known?.structure === structure) return structureDifferences(this.#known.listing, listing);
    return shapeProblems(shapeOf(structure), listing);
  }

  async #count(): Promise<void> {
    this.#counted(await this.#table.counters());
  }

  #counted(text: string | null): Denied {
    return this.#denied.look(text === null ? new Map() : readCounters(text));
  }
}
