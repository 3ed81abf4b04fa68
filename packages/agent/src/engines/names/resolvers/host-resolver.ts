import { messageOf } from '../../../message-of.ts';
import type { ResolverSetup, ResolverWay } from './resolver-way.ts';

interface HostResolverOptions {
  /** The best first. */
  readonly ways: readonly ResolverWay[];
  /** Looks a name up as any program of the host would. Answers with why that did not lead here. Undefined: it did. */
  readonly prove: () => Promise<string | undefined>;
}

/** Makes programs of the host ask the agent for names, in the first way that a real look-up proves. */
export class HostResolver {
  readonly #options: HostResolverOptions;
  #way: ResolverWay | undefined;
  #setup = '';
  #isDoubtful = false;
  #reasons: readonly string[] = [];

  constructor(options: HostResolverOptions) {
    this.#options = options;
  }

  /** The one in effect. Undefined: none is, and `reasons` says of each why not. */
  get way(): string | undefined {
    return this.#way?.name;
  }

  /** Undefined: programs go on to the other servers of the host by themselves. */
  get others(): (() => Promise<readonly string[]>) | undefined {
    const way = this.#way;
    return way?.others === undefined ? undefined : async () => (await way.others?.()) ?? [];
  }

  get reasons(): readonly string[] {
    return this.#reasons;
  }

  get files(): readonly string[] {
    return this.#options.ways.flatMap(({ file }) => file ?? []);
  }

  /** Answers whether programs of the host ask the agent now. */
  async apply(setup: ResolverSetup): Promise<boolean> {
    const text = JSON.stringify(setup);
    const isMade = this.#way !== undefined && text === this.#setup;
    if (isMade && (!this.#isDoubtful || (await this.drift()) === null)) return true;
    this.#isDoubtful = false;
    const reasons: string[] = [];
    let chosen: ResolverWay | undefined;
    for (const way of this.#options.ways) {
      const reason = await this.#tried(way, setup);
      if (reason === undefined) {
        chosen = way;
        break;
      }
      reasons.push(`${way.name}: ${reason}`);
    }
    this.#way = chosen;
    this.#setup = text;
    this.#reasons = reasons;
    // One of an agent before this one, too: the host may have another resolver by now.
    for (const way of this.#options.ways) if (way !== chosen) await way.remove();
    return chosen !== undefined;
  }

  /** Something may have changed that it does not know of: the next call proves it again. */
  distrust(): void {
    this.#isDoubtful = true;
  }

  /** How the way in effect fails now, in words, or null. */
  async drift(): Promise<string | null> {
    if (this.#way === undefined) return null;
    const reason = (await this.#way.unusable()) ?? (await this.#options.prove());
    return reason === undefined ? null : `names of the mesh are not resolved by ${this.#way.name}: ${reason}`;
  }

  async remove(): Promise<void> {
    this.#way = undefined;
    for (const way of this.#options.ways) await way.remove();
  }

  async #tried(way: ResolverWay, setup: ResolverSetup): Promise<string | undefined> {
    try {
      const unusable = await way.unusable();
      if (unusable !== undefined) return unusable;
      await way.apply(setup);
      const reason = await this.#options.prove();
      if (reason !== undefined) await way.remove();
      return reason;
    } catch (error) {
      return messageOf(error);
    }
  }
}
