import { CommandError, type RunCommand } from '../../host/run-command.ts';

/** One table of nftables, through `nft`. No other table is looked at or touched. */
export class NftTable {
  readonly #run: RunCommand;
  readonly #table: string;

  constructor(table: string, run: RunCommand) {
    this.#table = table;
    this.#run = run;
  }

  /** All of the text at once, or nothing. */
  async load(text: string): Promise<void> {
    await this.#nft(['-f', '-'], text);
  }

  /** Rejects where the kernel would not take the text. It is tried against what is there and taken back: nothing changes. */
  async check(text: string): Promise<void> {
    await this.#nft(['-c', '-f', '-'], text);
  }

  /** `-s`: without what the rules have counted. Null: there is no such table. */
  list(): Promise<string | null> {
    return this.#unlessMissing(['-j', '-s', 'list', 'table', 'inet', this.#table]);
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

  async #nft(args: readonly string[], input?: string): Promise<string> {
    try {
      return await this.#run('nft', args, { input });
    } catch (error) {
      if (!(error instanceof CommandError) || error.exit !== 'ENOENT') throw error;
      throw new Error('nft is not installed: without nftables this node cannot keep to the policy.', { cause: error });
    }
  }
}
