import { readFile } from 'node:fs/promises';
import type { ForeignRule } from '@meshwork/contract';
import { isCode } from '../../host/atomic-file.ts';
import { CommandError, type RunCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';
import type { ForeignSource } from '../foreign-report.ts';
import type { MeshReach } from '../mesh-reach.ts';
import { ForeignChains, isOwnTable, type PrintedRules, printedRules } from './foreign-chains.ts';
import { foreignFilterRules } from './foreign-filter.ts';

/** Ours: more than any host needs that a person set up. Clusters with ten thousand services have more, and are not judged. */
const BOUNDS = { timeout_ms: 5000, max_output_bytes: 16 * 1024 * 1024 } as const;

interface Seen {
  readonly chains: ForeignChains;
  readonly printed: PrintedRules;
  readonly legacy: readonly string[];
}

/** The rule sets of other programs, as they were last read. Judged anew when it is known better what the mesh reaches. */
export class ForeignTables implements ForeignSource {
  readonly #run: RunCommand;
  readonly #read: (file: string) => Promise<string>;
  #last: Seen | { readonly failed: string } | undefined;

  constructor(run: RunCommand, read: (file: string) => Promise<string> = (file) => readFile(file, 'utf8')) {
    this.#run = run;
    this.#read = read;
  }

  /** `-t`: without the elements of sets, of which there may be a million. */
  async look(): Promise<void> {
    try {
      const printed = printedRules(await this.#run('nft', ['-a', '-t', 'list', 'ruleset'], BOUNDS));
      const chains = new ForeignChains(...(await this.#listings(printed)));
      this.#last = { chains, printed, legacy: await this.#legacy() };
    } catch (error) {
      this.#last = { failed: messageOf(error) };
    }
  }

  /** A table that is switched off does nothing, and nft 1.0.6 crashes when it has to write its flags as JSON. */
  async #listings({ tables, dormant }: PrintedRules): Promise<readonly string[]> {
    const list = (...what: readonly string[]) => this.#run('nft', ['-j', '-t', 'list', ...what], BOUNDS);
    if (tables.every(isOwnTable)) return [];
    if (dormant.size === 0) return [await list('ruleset')];
    const awake = tables.filter((table) => !dormant.has(table));
    return await Promise.all(awake.map((table) => list('table', ...table.split(' '))));
  }

  rules(reach: MeshReach): readonly ForeignRule[] | undefined {
    if (this.#last === undefined) return undefined;
    if ('failed' in this.#last) return unjudged(`the rules of other programs cannot be read: ${this.#last.failed}`);
    const { chains, printed, legacy } = this.#last;
    return [...foreignFilterRules(chains, printed, reach), ...legacy.flatMap(unjudged)];
  }

  /** Rules of the iptables before nftables, which `nft` does not list. */
  async #legacy(): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [program, file] of LEGACY) {
      for (const table of (await this.#names(file)).split('\n').filter(Boolean)) {
        if (await this.#hasRules(program, table)) found.push(`${program} has rules in ${table}`);
      }
    }
    return found;
  }

  async #names(file: string): Promise<string> {
    try {
      return await this.#read(file);
    } catch (error) {
      if (isCode(error, 'ENOENT') || isCode(error, 'EACCES')) return ''; // the kernel has none
      throw error;
    }
  }

  /** A table is there as soon as it was looked at. Where its rules cannot be listed, it may have some. */
  async #hasRules(program: string, table: string): Promise<boolean> {
    try {
      const saved = await this.#run(`${program}-save`, ['-t', table], BOUNDS);
      return saved.split('\n').some((line) => line.startsWith('-A ') || /^:\w+ DROP /.test(line));
    } catch (error) {
      if (error instanceof CommandError) return true;
      throw error;
    }
  }
}

const LEGACY = [
  ['iptables-legacy', '/proc/net/ip_tables_names'],
  ['ip6tables-legacy', '/proc/net/ip6_tables_names'],
] as const;

/** What cannot be judged may concern every packet. */
function unjudged(text: string): readonly ForeignRule[] {
  return (['in', 'out', 'forward'] as const).map((direction) => ({
    kind: 'filter',
    direction,
    text,
  }));
}
