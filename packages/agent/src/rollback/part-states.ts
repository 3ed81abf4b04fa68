import type { Applied, AppliedSection } from '@meshwork/contract';
import type { Chosen, GuardedPart } from './guarded-part.ts';
import { chosen, nothingProven, type Refusal, type RollbackState } from './rollback-state.ts';

/**
 * Why a part is not what is wanted. `unproven`: the agent started with a view whose part no heartbeat had proven.
 * `pending`: rolled back just now. `suspect`: rolled back together with others, to be tried again alone. `refused`: this
 * one cut the node off.
 */
interface Hold extends Refusal {
  readonly why: 'unproven' | 'pending' | 'suspect' | 'refused';
}

interface StartOptions {
  /** All that is guarded, in the order in which suspects are tried again. */
  readonly parts: readonly GuardedPart[];
  readonly state: RollbackState | undefined;
  readonly restored: boolean;
}

/** What is known of each guarded part, by its name: what was proven, what is in effect, and what is held back. */
export class PartStates {
  readonly #parts: readonly GuardedPart[];
  readonly #proven = new Map<string, Chosen>();
  readonly #inEffect = new Map<string, Chosen>();
  /** Those whose last application failed, or is under way: they may be in effect in part. */
  readonly #failed = new Set<string>();
  readonly #held = new Map<string, Hold>();

  constructor({ parts, state, restored }: StartOptions) {
    this.#parts = parts;
    const unknown = restored ? {} : nothingProven(parts);
    for (const { name } of parts) {
      const proven = state?.proven[name] ?? unknown[name];
      if (proven !== undefined) this.#proven.set(name, chosen(name, proven));
      const refusal = state?.refused[name];
      if (refusal !== undefined) this.#held.set(name, { ...refusal, why: 'refused' });
    }
  }

  /** What was proven of the part that is wanted now. The same content under a newer revision is as good. */
  provenBefore<V>(wanted: Chosen<V>): Chosen<V> {
    const { part, text } = wanted;
    if ((this.#proven.get(part) ?? wanted).text === text) this.#proven.set(part, wanted);
    return this.#proven.get(part) as Chosen<V>;
  }

  /** Those that would change what is in effect. */
  changedBy(parts: readonly Chosen[]): readonly Chosen[] {
    return parts.filter(({ part, text }) => this.#failed.has(part) || this.#inEffect.get(part)?.text !== text);
  }

  /** They are being put into effect. Until `applied` is called they count as failed. */
  applying(parts: readonly Chosen[]): void {
    for (const one of parts) {
      this.#inEffect.set(one.part, one);
      this.#failed.add(one.part);
    }
  }

  applied(parts: readonly Chosen[]): void {
    for (const { part } of parts) this.#failed.delete(part);
  }

  isApplied(parts: readonly Chosen[]): boolean {
    return parts.every(({ part }) => !this.#failed.has(part));
  }

  /** Names of the parts that are in effect and not proven. */
  onTrial(): string[] {
    return this.#named((part) => {
      const text = this.#inEffect.get(part)?.text;
      return text !== undefined && text !== this.#proven.get(part)?.text;
    });
  }

  /** What is on trial is proven, unless its application failed. Returns the names. */
  prove(): string[] {
    const proven = this.onTrial().filter((part) => !this.#failed.has(part));
    for (const part of proven) this.#proven.set(part, this.#inEffect.get(part) as Chosen);
    return proven;
  }

  holdOn(part: string): Hold | undefined {
    return this.#held.get(part);
  }

  /** Holds a content back. */
  hold({ part, text, revision }: Chosen, why: Hold['why'], at: string): void {
    this.#held.set(part, { text, revision, at, why });
  }

  /** Holds back what is in effect of these. */
  holdInEffect(parts: readonly string[], at: string): void {
    for (const part of parts) this.hold(this.#inEffect.get(part) as Chosen, 'pending', at);
  }

  /** Holds these back for another reason. */
  judge(parts: readonly string[], why: Hold['why']): void {
    for (const part of parts) this.#held.set(part, { ...(this.#held.get(part) as Hold), why });
  }

  release(parts: readonly string[]): void {
    for (const part of parts) this.#held.delete(part);
  }

  holding(why: Hold['why']): string[] {
    return this.#named((part) => this.#held.get(part)?.why === why);
  }

  sectionsOf(names: readonly string[]): AppliedSection[] {
    return this.#parts.filter(({ name }) => names.includes(name)).map(({ section }) => section);
  }

  /** How a section falls short because a part of it is held back. Undefined: it does not. */
  shortfall(section: AppliedSection, after_s: number): Applied | undefined {
    const part = this.#parts.find((one) => one.section === section && this.#held.has(one.name));
    const hold = part === undefined ? undefined : this.#held.get(part.name);
    if (part === undefined || hold === undefined) return undefined;
    const { revision, digest } = this.#proven.get(part.name) as Chosen;
    return { revision, digest, ...reasonOf(hold, after_s, this.#isAlone(hold)) };
  }

  /** What outlives the agent. Undefined: an agent that saved no state yet learns it from the view it began with. */
  saved(): RollbackState | undefined {
    if (this.#proven.size < this.#parts.length) return undefined;
    const proven = Object.fromEntries(
      Array.from(this.#proven, ([part, { value, revision, digest }]) => [part, { value, revision, digest }]),
    );
    const refused = this.holding('refused').map((part) => {
      const { why: _, ...refusal } = this.#held.get(part) as Hold;
      return [part, refusal];
    });
    return { proven, refused: Object.fromEntries(refused) };
  }

  #isAlone({ why }: Hold): boolean {
    return why === 'refused' || (why === 'pending' && this.holding('pending').length === 1);
  }

  #named(test: (part: string) => boolean): string[] {
    return this.#parts.map(({ name }) => name).filter(test);
  }
}

function reasonOf(
  { why, revision, at }: Hold,
  after_s: number,
  isAlone: boolean,
): Pick<Applied, 'error' | 'rolled_back'> {
  if (why === 'unproven')
    return { error: `Revision ${revision} was on trial when the agent ended: it is tried again.` };
  const error = `Rolled back: no heartbeat was answered within ${after_s} s after revision ${revision} was applied.`;
  if (!isAlone) return { error: `${error} It is tried again by itself.` };
  return { error: `${error} It is not tried again until it changes.`, rolled_back: { revision, after_s, at } };
}
