import { MeshError } from '@meshwork/contract';
import { hash, type Options, verify } from '@node-rs/argon2';

/** Argon2id, the library's default, with the parameters that OWASP recommends (docs/decisions/0028). */
const PARAMETERS: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Each takes a core and 19 MiB for as long as it runs. */
const AT_ONCE = 2;
const MAX_WAITING = 32;

/** Hashes and checks passwords, few at once: sign-ins cannot exhaust the memory or the cores of the machine. */
export class Passwords {
  #running = 0;
  #done = 0;
  readonly #waiting: (() => void)[] = [];
  #placeholder: Promise<string> | undefined;

  /** How many were hashed or checked so far. */
  get done(): number {
    return this.#done;
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(typed(password), PARAMETERS));
  }

  /** `stored` is null for an account without a password, or an unknown one. The time is the same. */
  async isRight(password: string, stored: string | null): Promise<boolean> {
    const against = stored ?? (await this.#placeholderHash());
    const isRight = await this.#inTurn(() => verify(against, typed(password)));
    return isRight && stored !== null;
  }

  /** Called at the start. Without it the first attempt with an unknown name would take longer. */
  async prepare(): Promise<void> {
    await this.#placeholderHash();
  }

  #placeholderHash(): Promise<string> {
    this.#placeholder ??= hash('placeholder for accounts without a password', PARAMETERS);
    return this.#placeholder;
  }

  async #inTurn<T>(run: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MAX_WAITING) {
        throw new MeshError('busy', 'Too many people are signing in at once. Try again in a moment.', {
          retry_after_s: 2,
        });
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve)); // a check that ends passes its place on
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
