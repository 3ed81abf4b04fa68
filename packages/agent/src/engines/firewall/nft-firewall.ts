import { createHash } from 'node:crypto';
import { NODE_TABLE } from '@meshwork/contract/vocabulary';
import { type CompiledNode, compileNode, type NodeInput, tableChange } from '@meshwork/policy/firewall';
import { InTurn } from '../../host/in-turn.ts';
import { CommandError, type RunCommand, runCommand } from '../../host/run-command.ts';
import { type Denied, DeniedPackets } from './denied-packets.ts';
import { NftTable } from './nft.ts';
import type { NodeFirewall } from './node-firewall.ts';
import { elementDifferences, inWords, structureDifferences } from './table-differences.ts';
import { readCounters, readListing, type TableListing } from './table-listing.ts';
import { shapeOf, shapeProblems } from './table-shape.ts';

/** What named counters have counted, which `nft -s` tells all the same. */
const COUNTS = /"packets": \d+, "bytes": \d+/g;

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
  #wanted: CompiledNode | undefined;
  /** What was in effect when it was last read back. Undefined: not known, so the next change replaces everything. */
  #held: CompiledNode | undefined;
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
      // Read back when it was loaded, and looked after by `drift` since: ten thousand peers take a second to list.
      if (this.#held !== undefined && tableChange(this.#held, compiled) === '') return;
      this.#rightDigest = undefined;
      if (!(await this.#changed(compiled))) await this.#replace(compiled);
      this.#held = compiled;
    });
  }

  drift(): Promise<string | null> {
    return this.#turns.take(async () => {
      const difference = this.#wanted === undefined ? null : await this.#difference(this.#wanted);
      if (difference !== null) this.#held = undefined; // whatever is applied next replaces it
      return difference;
    });
  }

  denied(): Promise<Denied> {
    return this.#turns.take(() => this.#count());
  }

  remove(): Promise<void> {
    return this.#turns.take(async () => {
      await this.#count();
      await this.#table.delete();
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
      // The table is not what we took it for: somebody changed it. Replacing it mends that, and says what else is wrong.
      if (error instanceof CommandError) return false;
      throw error;
    }
    return (await this.#difference(compiled)) === null;
  }

  async #replace(compiled: CompiledNode): Promise<void> {
    // A table of a predecessor counted for somebody else.
    if (this.#known !== undefined) await this.#count();
    this.#held = undefined;
    await this.#table.load(compiled.text);
    this.#denied.replaced();
    const text = await this.#table.list();
    if (text !== null && this.#known?.structure !== compiled.structure) this.#learn(compiled, readListing(text));
    const difference = this.#compare(compiled, text);
    if (difference !== null) throw new Error(`The packet filter was loaded and is not in effect: ${difference}.`);
  }

  #learn({ structure }: CompiledNode, listing: TableListing): void {
    const problem = inWords(shapeProblems(shapeOf(structure), listing));
    if (problem !== null) throw new Error(`The packet filter was changed by somebody else meanwhile: ${problem}.`);
    this.#known = { structure, listing: { ...listing, elements: new Map() } };
  }

  async #difference(compiled: CompiledNode): Promise<string | null> {
    return this.#compare(compiled, await this.#table.list());
  }

  #compare(compiled: CompiledNode, text: string | null): string | null {
    if (text === null) return 'the table is not there';
    const digest = createHash('sha256').update(text.replace(COUNTS, '')).digest('base64');
    if (digest === this.#rightDigest) return null;
    const listing = readListing(text);
    const difference = inWords([
      ...this.#structureDifferences(compiled, listing),
      ...elementDifferences(compiled.sets, listing),
    ]);
    if (difference === null) this.#rightDigest = digest;
    return difference;
  }

  #structureDifferences({ structure }: CompiledNode, listing: TableListing): readonly string[] {
    if (this.#known?.structure === structure) return structureDifferences(this.#known.listing, listing);
    return shapeProblems(shapeOf(structure), listing);
  }

  async #count(): Promise<Denied> {
    const text = await this.#table.counters();
    return this.#denied.look(text === null ? new Map() : readCounters(text));
  }
}
