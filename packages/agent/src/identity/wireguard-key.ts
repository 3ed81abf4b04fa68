import { type KeyPair, newWireguardKey, wireguardKeyOf } from './keys.ts';
import { loadJson, saveJson } from './saved-json.ts';
import { STATE_FILES } from './state-folder.ts';

interface Saved {
  readonly pair: KeyPair;
  /** The re-key operation that made it. Absent: enrolment did. */
  readonly operation: string | undefined;
}

/** The WireGuard key of the node. A new one is on disk before anybody hears of it, so that no crash can lose it. */
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
    const key = new WireguardKey(folder, { pair: newWireguardKey(), operation: undefined });
    await key.#save(key.#saved);
    return key;
  }

  get current(): KeyPair {
    return this.#saved.pair;
  }

  /** The same operation has the same key, however often it is asked for and whatever happened in between. */
  async newKeyFor(operation: string): Promise<KeyPair> {
    if (this.#saved.operation !== operation) await this.#save({ pair: newWireguardKey(), operation });
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
    const { pair, operation } = saved;
    await saveJson(this.#folder, STATE_FILES.wireguard, { version: 1, private_key: pair.private, operation });
    this.#saved = saved;
  }
}

function readSaved({ version, private_key, operation }: Readonly<Record<string, unknown>>): Saved | undefined {
  if (version !== 1 || typeof private_key !== 'string') return undefined;
  if (operation !== undefined && typeof operation !== 'string') return undefined;
  try {
    return { pair: wireguardKeyOf(private_key), operation };
  } catch {
    return undefined; // said by whoever reads the file, which has a name
  }
}
