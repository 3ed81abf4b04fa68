import { type KeyPair, newWireguardKey, wireguardKeyOf } from './keys.ts';
import { loadJson, saveJson } from './saved-json.ts';
import { STATE_FILES } from './state-folder.ts';

interface Saved {
  readonly pair: KeyPair;
  /** The re-key operations that led to it, the one that made it first. Empty: enrolment did. */
  readonly operations: readonly string[];
}

/**
 * Ours: a view that was saved before a crash may list commands that were done since. A node has one re-key at a time and
 * saves its view every second, so it is the last one or two.
 */
const OPERATIONS_KEPT = 8;

/** The WireGuard key of the node. A new one is on disk before it is used, so that no crash can lose it. */
export class WireguardKey {
  readonly #folder: string;
  #saved: Saved;

  private constructor(folder: string, saved: Saved) {
    this.#folder = folder;
    this.#saved = saved;
  }

  /** Absent: there is none. */
  static async load(folder: string): Promise<WireguardKey | undefined> {
    const saved = await loadJson(folder, STATE_FILES.wireguard, readSaved);
    return saved === undefined ? undefined : new WireguardKey(folder, saved);
  }

  static async create(folder: string): Promise<WireguardKey> {
    const key = new WireguardKey(folder, { pair: newWireguardKey(), operations: [] });
    await key.#save(key.#saved);
    return key;
  }

  get current(): KeyPair {
    return this.#saved.pair;
  }

  /** Each operation makes one key, however often it is asked for and whatever happened in between. */
  async newKeyFor(operation: string): Promise<KeyPair> {
    const { operations } = this.#saved;
    if (!operations.includes(operation)) {
      const led = [operation, ...operations].slice(0, OPERATIONS_KEPT);
      await this.#save({ pair: newWireguardKey(), operations: led });
    }
    return this.#saved.pair;
  }

  /** Base64. A secret. */
  get private_key(): string {
    return this.#saved.pair.private;
  }

  /** Has a new key used, which is on disk before that. When it cannot be used, the old one stays. Answers with its public half. */
  async replace(operation: string, use: (private_key: string) => Promise<void>): Promise<string> {
    const before = this.#saved;
    const pair = await this.newKeyFor(operation);
    try {
      await use(pair.private);
    } catch (error) {
      await this.#save(before);
      throw error;
    }
    return pair.public;
  }

  async #save(saved: Saved): Promise<void> {
    const { pair, operations } = saved;
    await saveJson(this.#folder, STATE_FILES.wireguard, { version: 1, private_key: pair.private, operations });
    this.#saved = saved;
  }
}

function readSaved({ version, private_key, operations }: Readonly<Record<string, unknown>>): Saved | undefined {
  if (version !== 1 || typeof private_key !== 'string' || !Array.isArray(operations)) return undefined;
  if (!operations.every((operation) => typeof operation === 'string')) return undefined;
  try {
    return { pair: wireguardKeyOf(private_key), operations };
  } catch {
    return undefined; // the caller reports it, with the name of the file
  }
}
