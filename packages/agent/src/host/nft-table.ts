import { CommandError, type RunCommand } from './run-command.ts';

/** Ours: what a process changed is announced within moments of it, and numbers of processes come back only after thousands. */
const MAX_LOADERS = 64;

/** One table of nftables, through `nft`. No other table is looked at or touched. */
export class NftTable {
  readonly #run: RunCommand;
  readonly #table: string;
  readonly #loaders: number[] = [];

  constructor(table: string, run: RunCommand) {
    this.#table = table;
    this.#run = run;
  }

  /** All of the text at once, or nothing. */
  async load(text: string): Promise<void> {
    const started = (pid: number) => {
      this.#loaders.push(pid);
      if (this.#loaders.length > MAX_LOADERS) this.#loaders.shift();
    };
    await this.#nft(['-f', '-'], text, started);
  }

  /** Whether this process loaded something of ours, lately. */
  isOwn(pid: number): boolean {
    return this.#loaders.includes(pid);
  }

  /** Rejects where the kernel would not take the text. It is tried against what is there and taken back: nothing changes. */
  async check(text: string): Promise<void> {
    await this.#nft(['-c', '-f', '-'], text);
  }

  /** `-s`: without what the rules have counted. Null: there is no such table. */
  list(): Promise<string | null> {
    return this.#unlessMissing(['-j', '-s', 'list', 'table', 'inet', this.#table]);
  }

  /** Of the table itself. nft 1.0.6 crashes when it has to write them as JSON, and with them the whole table. */
  async flags(): Promise<readonly string[]> {
    const text = (await this.#unlessMissing(['-t', 'list', 'table', 'inet', this.#table])) ?? '';
    return /^\s*flags (.+)$/m.exec(text.split(/^\s*(?:set|map|chain|counter) /m, 1)[0] ?? '')?.[1]?.split(',') ?? [];
  }

  /** Null: there is no such table. */
  counters(): Promise<string | null> {
    return this.#unlessMissing(['-j', 'list', 'counters', 'table', 'inet', this.#table]);
  }

  /** It is named first so that deleting it works also when it is not there. */
  async delete(): Promise<void> {
    const name = `table inet ${this.#table}`;
    await this.load(`${name}\ndelete ${name}\n`);
  }

  async #unlessMissing(args: readonly string[]): Promise<string | null> {
    try {
      return await this.#nft(args);
    } catch (error) {
      if (error instanceof CommandError && error.stderr.includes('No such file or directory')) return null;
      throw error;
    }
  }

  async #nft(args: readonly string[], input?: string, started?: (pid: number) => void): Promise<string> {
    try {
      return await this.#run('nft', args, { input, started });
    } catch (error) {
      if (!(error instanceof CommandError) || error.exit !== 'ENOENT') throw error;
      throw new Error('nft is not installed: without nftables this node cannot keep to the policy.', { cause: error });
    }
  }
}
