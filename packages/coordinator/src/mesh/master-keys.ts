import { checkOf, type MasterKey } from '@meshwork/service';

/**
 * The master keys that this coordinator was given, in the order of their file. Which of them seals, the installation says; the
 * others open what was sealed before. One alone, where none was ever turned over.
 */
export class MasterKeys {
  readonly #read: () => Promise<readonly MasterKey[]>;
  #keys: ReadonlyMap<string, MasterKey>;

  /** `read`: from where they came. Absent: they stay as they are. */
  constructor(keys: readonly MasterKey[], read: () => Promise<readonly MasterKey[]> = async () => keys) {
    this.#read = read;
    this.#keys = byCheck(keys);
  }

  /** The one that everything should be sealed by. */
  get first(): MasterKey {
    const [first] = this.#keys.values();
    if (first === undefined) throw new Error('There is no master key.');
    return first;
  }

  get checks(): readonly string[] {
    return [...this.#keys.keys()];
  }

  find(check: string): MasterKey | undefined {
    return this.#keys.get(check);
  }

  /**
   * Reads them again: an operator may have put another one in front. `needed`: without all of these nothing is changed. Throws what is
   * wrong, and keeps those it has.
   */
  async refresh(needed: readonly string[]): Promise<void> {
    const keys = byCheck(await this.#read());
    const lacking = needed.filter((check) => !keys.has(check));
    if (lacking.length > 0) {
      const held = [...keys.keys()].join(', ');
      throw new Error(`The store needs the master key ${lacking.join(' and ')}, and the file holds ${held}.`);
    }
    this.#keys = keys;
  }
}

function byCheck(keys: readonly MasterKey[]): ReadonlyMap<string, MasterKey> {
  return new Map(keys.map((key) => [checkOf(key), key]));
}
