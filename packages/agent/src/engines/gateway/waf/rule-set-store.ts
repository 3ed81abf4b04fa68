/** Which rule set is used: the one in the operator's folder once the engine took it, and until then the last good one. */
import { stat } from 'node:fs/promises';
import { messageOf } from '../../../message-of.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { type RuleSet, readRuleSet, ruleSetOf } from './rule-set.ts';
import type { LoadedRuleSet } from './rules-text.ts';
import { ruleSetFolder, WAF_FILES } from './waf-files.ts';

interface RuleSetStoreOptions {
  readonly folder: GatewayFolder;
  /** The operator's. */
  readonly source: string;
  /** Rejects with what the engine says of it. */
  readonly tried: (set: LoadedRuleSet) => Promise<void>;
}

interface ChosenRuleSet {
  /** Undefined: there is none. */
  readonly set: (RuleSet & LoadedRuleSet) | undefined;
  /** Why it is not the one in the operator's folder, in words. */
  readonly problem: string | undefined;
}

export class RuleSetStore {
  readonly #options: RuleSetStoreOptions;
  #good: (RuleSet & LoadedRuleSet) | undefined;
  #refused: { readonly digest: string; readonly problem: string } | undefined;
  /** How its files looked when they were written. */
  #looks = new Map<string, string>();

  constructor(options: RuleSetStoreOptions) {
    this.#options = options;
  }

  /** Undefined: none is used. */
  get version(): string | undefined {
    return this.#good?.version;
  }

  async choose(): Promise<ChosenRuleSet> {
    try {
      const found = await readRuleSet(this.#options.source);
      if (this.#refused?.digest === found.digest) throw new Error(this.#refused.problem);
      if (this.#good?.digest === found.digest && (await this.fault()) === null)
        return { set: this.#good, problem: undefined };
      const copy = await this.#copied(found);
      await this.#try(copy);
      await this.#options.folder.write(WAF_FILES.good, JSON.stringify({ digest: copy.digest }));
      this.#good = copy;
      return { set: copy, problem: undefined };
    } catch (error) {
      const problem = `the rule set in ${this.#options.source} cannot be used: ${messageOf(error)}`;
      this.#good ??= await this.#lastGood();
      return { set: this.#good, problem };
    }
  }

  async #try(set: RuleSet & LoadedRuleSet): Promise<void> {
    try {
      await this.#options.tried(set);
      this.#refused = undefined;
    } catch (error) {
      this.#refused = { digest: set.digest, problem: messageOf(error) };
      throw error;
    }
  }

  /** Whether the operator's folder has another one than was last looked at. */
  async isOther(): Promise<boolean> {
    try {
      const { digest } = await readRuleSet(this.#options.source);
      return digest !== this.#good?.digest && digest !== this.#refused?.digest;
    } catch {
      return false; // what cannot be read is none: the last good one stays
    }
  }

  async #copied(set: RuleSet): Promise<RuleSet & LoadedRuleSet> {
    const { folder } = this.#options;
    const place = ruleSetFolder(set.digest);
    await folder.folder(place);
    const looks = new Map<string, string>();
    for (const [name, text] of set.files) {
      await folder.write(`${place}/${name}`, text);
      looks.set(`${place}/${name}`, await lookOf(folder.file(`${place}/${name}`)));
    }
    this.#looks = looks;
    return { ...set, paths: set.order.map((name) => folder.file(`${place}/${name}`)) };
  }

  /** Of an agent before this one. */
  async #lastGood(): Promise<(RuleSet & LoadedRuleSet) | undefined> {
    const { folder } = this.#options;
    const noted = /"digest":"([0-9a-f]{32})"/.exec((await folder.read(WAF_FILES.good)) ?? '')?.[1];
    if (noted === undefined) return undefined;
    const place = ruleSetFolder(noted);
    const files = new Map<string, string>();
    for (const name of await folder.names(place)) files.set(name, (await folder.read(`${place}/${name}`)) ?? '');
    try {
      const set = ruleSetOf(files, folder.file(place));
      return set.digest === noted ? await this.#copied(set) : undefined;
    } catch {
      return undefined; // another program changed the copy: it is none
    }
  }

  /** In words. Null: the copy is what was written. */
  async fault(): Promise<string | null> {
    for (const [name, look] of this.#looks) {
      const path = this.#options.folder.file(name);
      if ((await lookOf(path)) !== look) return `${path} was changed`;
    }
    return null;
  }
}

/** Undefined fields of a file that is not there make it another one, too. */
async function lookOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return `${found?.ino} ${found?.size} ${found?.mtimeMs}`;
}
