import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode, readPrivate, writeAtomically } from '../../host/atomic-file.ts';

/** Values by their path below `/proc/sys/net`, such as `ipv4/conf/eth0/forwarding`. */
export type Settings = ReadonlyMap<string, string>;

interface Claim {
  readonly before: string;
  readonly set: string;
}

const FOLDER = '/proc/sys/net';
/** Both give their value to every interface when they are written. */
export const FORWARDING_FOR_ALL = { 4: 'ipv4/conf/all/forwarding', 6: 'ipv6/conf/all/forwarding' } as const;

/**
 * Settings of the kernel that others use too. What they were before is kept in a file, written before the first of them
 * changes, so that they can be put back also by an agent that was started anew.
 */
export class HostSettings {
  readonly #file: string;
  #claims: Map<string, Claim> | undefined;

  constructor(folder: string) {
    this.#file = join(folder, 'host-settings.json');
  }

  /** What it is now. Undefined: there is no such setting, or not any more. */
  async now(key: string): Promise<string | undefined> {
    try {
      return (await readFile(join(FOLDER, key), 'utf8')).trim();
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** What it was before we changed it, or is now. */
  async before(key: string): Promise<string | undefined> {
    return (await this.#load()).get(key)?.before ?? (await this.now(key));
  }

  async isClaimed(key: string): Promise<boolean> {
    return (await this.#load()).has(key);
  }

  /** Makes these so, in their order, and puts back what we changed and do not need any more. */
  async apply(wanted: Settings): Promise<void> {
    const claims = await this.#load();
    await this.#release([...claims.keys()].filter((key) => !wanted.has(key)));
    const values = new Map<string, string>();
    for (const key of wanted.keys()) {
      const now = await this.now(key);
      if (now !== undefined) values.set(key, now);
    }
    const fresh = [...values].filter(([key]) => !claims.has(key));
    for (const [key, before] of fresh) claims.set(key, { before, set: wanted.get(key) ?? before });
    if (fresh.length > 0) await this.#save(claims);
    for (const [key, now] of values) await this.#write(key, { from: now, to: wanted.get(key) ?? now });
  }

  async differences(wanted: Settings): Promise<readonly string[]> {
    const found: string[] = [];
    for (const [key, value] of wanted) {
      const now = await this.now(key);
      if (now !== undefined && now !== value)
        found.push(`net.${key.replaceAll('/', '.')} is ${now} instead of ${value}`);
    }
    return found;
  }

  async #release(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const claims = await this.#load();
    const due: [key: string, before: string][] = [];
    for (const key of keys) {
      const claim = claims.get(key);
      // A value that another program set after us stays.
      if (claim !== undefined && (await this.now(key)) === claim.set && !(await this.#isWanted(key)))
        due.push([key, claim.before]);
    }
    // In the order of claiming: switching off all interfaces comes before putting back those that were on by themselves.
    for (const [key, before] of due) await this.#write(key, { from: await this.now(key), to: before });
    for (const key of keys) claims.delete(key);
    await this.#save(claims);
  }

  /** The whole host forwards since, and this interface with it. Only an operator turns that on; we never do. */
  async #isWanted(key: string): Promise<boolean> {
    return /^ipv4\/conf\/.*\/forwarding$/.test(key) && (await this.now(FORWARDING_FOR_ALL[4])) === '1';
  }

  /** An interface may go at any moment, and its settings with it. */
  async #write(key: string, { from, to }: { readonly from: string | undefined; readonly to: string }): Promise<void> {
    if (from === to || from === undefined) return;
    try {
      await writeFile(join(FOLDER, key), to);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }

  async #load(): Promise<Map<string, Claim>> {
    if (this.#claims === undefined) {
      const text = await readPrivate(this.#file);
      this.#claims = new Map(text === undefined ? [] : Object.entries(JSON.parse(text) as Record<string, Claim>));
    }
    return this.#claims;
  }

  async #save(claims: ReadonlyMap<string, Claim>): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
    await writeAtomically(this.#file, `${JSON.stringify(Object.fromEntries(claims), null, 2)}\n`);
  }
}
