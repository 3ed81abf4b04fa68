import { MeshError } from '@meshwork/contract';
import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id, as the library has it unless told otherwise, with what OWASP recommends (docs/decisions/0028). */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes a core and 19 MiB for as long as it runs. */
const AT_ONCE = 2;
const MAX_WAITING = 32;

/** Hashes and checks passwords, few at once: nobody can take the machine's memory or cores by signing in. */
export class Passwords {
  #running = 0;
  #done = 0;
  readonly #waiting: (() => void)[] = [];
  #nobody: Promise<string> | undefined;

  /** How many were hashed or checked so far. */
  get done(): number {
    return this.#done;
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(typed(password), PARAMETERS));
  }

  /** `stored` is null where nobody has such a password. It takes as long either way. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    const against = stored ?? (await this.#ofNobody());
    const isRight = await this.#inTurn(() => verify(against, typed(password)));
    return isRight && stored !== null;
  }

  /** Called at the start, or the first who tries a name that nobody has would wait longer. */
  async prepare(): Promise<void> {
    await this.#ofNobody();
  }

  #ofNobody(): Promise<string> {
    this.#nobody ??= hash('nobody has this password', PARAMETERS);
    return this.#nobody;
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new MeshError('busy', 'Too many people are signing in at once.', { retry_after_s: 2 });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve)); // whoever is done passes its place on
    } else this.#running++;
    try {
      this.#done++;
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

/** Keyboards differ in how they make one letter. */
function typed(password: string): string {
  return password.normalize('NFC');
}
