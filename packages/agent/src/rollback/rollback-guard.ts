import type { Applied, AppliedSection } from '@meshwork/contract';
import { utc } from '@meshwork/contract/vocabulary';
import type { SleepingClock } from '@meshwork/time';
import type { Chosen, GuardedPart, Part, PartGuard } from './guarded-part.ts';
import { PartStates } from './part-states.ts';
import { chosen, type RollbackState } from './rollback-state.ts';

interface RollbackOptions {
  /** All that is guarded, in the order in which suspects are tried again. */
  readonly parts: readonly GuardedPart[];
  /** How long a change may go without an answered heartbeat. */
  readonly after_s: number;
  readonly clock: SleepingClock;
  /** Absent: an agent that kept none ran here, or none did. What it held is taken to be proven. */
  readonly state: RollbackState | undefined;
  /** Whether the agent begins with a view of an earlier start, part of which may be unproven. */
  readonly restored: boolean;
  /** Whether packets get to a coordinator and back, whether or not it answers. Never rejects. */
  readonly reachable: () => Promise<boolean>;
  readonly save: (state: RollbackState) => void;
  /** Has the sections applied anew; they ask for `choose` again. */
  readonly reapply: (sections: readonly AppliedSection[]) => void;
  /** A change is on trial: the next heartbeat goes out now, on a new connection. */
  readonly tried: () => void;
  /** The earlier configuration is back: whatever still waits on a dead connection is given up. */
  readonly returned: () => void;
  readonly note: (event: RollbackEvent) => void;
}

/**
 * For the log and the metrics. `kept`: no heartbeat was answered, but packets get through. `innocent`: the rollback made no
 * difference, so the wanted configuration is back in effect.
 */
export interface RollbackEvent {
  readonly kind: 'kept' | 'rolled_back' | 'innocent' | 'refused' | 'proven';
  /** Names. */
  readonly parts: readonly string[];
}

/** Ours: between two attempts with the earlier configuration, while a coordinator stays away. */
const LONGEST_TRIAL_MS = 3_600_000;

/** Ours: a coordinator that answers at all answers the first heartbeats of an agent within this time. */
const FIRST_ANSWER_MS = 5000;

/**
 * A dead man's switch, as "commit confirmed" is for routers. A part that changes is on trial until a heartbeat that was
 * sent afterwards is answered; then it is proven. If none is answered in time and no packet reaches a coordinator, the parts
 * on trial go back to what was proven. If that does not help either, they were not the cause, and are applied again.
 */
export class RollbackGuard implements PartGuard {
  readonly #options: RollbackOptions;
  readonly #states: PartStates;
  #phase: 'calm' | 'trial' | 'returned' = 'calm';
  /** Rises with each change, so that an answer tells which configuration it proves. */
  #epoch = 0;
  #busy = 0;
  #trial_ms: number;
  #timer = new AbortController();
  /** Whether it was found that what is on trial is not what keeps the coordinator from answering. */
  #isKept = false;
  readonly #start = new AbortController();
  #isStarting: boolean;
  #isSaved: boolean;

  constructor(options: RollbackOptions) {
    const { state, after_s, restored } = options;
    this.#options = options;
    this.#states = new PartStates(options);
    this.#trial_ms = after_s * 1000;
    this.#isStarting = restored;
    this.#isSaved = state !== undefined;
  }

  get pending(): boolean {
    return this.#phase !== 'calm' || this.#busy > 0;
  }

  /** Not while a coordinator is away for reasons of its own: it would return to all nodes that call every second. */
  get urgent(): boolean {
    return this.#phase === 'returned' || (this.#phase === 'trial' && !this.#isKept);
  }

  ticket(): number {
    return this.#busy > 0 ? -1 : this.#epoch;
  }

  /** Says what to put into effect, now that this is wanted. */
  choose<V>({ name: part }: GuardedPart<V>, wanted: Part<V>): Chosen<V> {
    const own = chosen(part, wanted);
    const proven = this.#states.provenBefore(own);
    if (this.#isStarting && this.#states.holdOn(part) === undefined && own.text !== proven.text) {
      if (this.#states.holding('unproven').length === 0) void this.#resume();
      this.#states.hold(own, 'unproven', this.#now());
    }
    const hold = this.#states.holdOn(part);
    if (hold?.text === own.text) return proven;
    if (hold !== undefined) {
      this.#states.release([part]); // it has changed, and the new content gets its chance
      if (hold.why === 'refused') this.#save();
    }
    return own;
  }

  /** Puts a chosen part into effect. What fails may have been done in part, and is no proof of anything. */
  async put<T>(parts: readonly Chosen[], work: () => Promise<T>): Promise<T> {
    const changes = this.#states.changedBy(parts);
    if (changes.length === 0) return await work();
    this.#busy += 1;
    this.#epoch += 1;
    this.#states.applying(changes);
    try {
      const done = await work();
      this.#states.applied(changes);
      return done;
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#changed(this.#states.isApplied(changes));
    }
  }

  /** How a section falls short because a part of it is held back. Undefined: it does not. */
  shortfall(section: AppliedSection): Applied | undefined {
    return this.#states.shortfall(section, this.#options.after_s);
  }

  answered(ticket: number): void {
    if (ticket !== this.#epoch || this.#busy > 0) return;
    this.#isStarting = false;
    this.#start.abort();
    this.#rest();
    this.#trial_ms = this.#options.after_s * 1000;
    const proven = this.#states.prove();
    if (this.#phase === 'returned') this.#convict();
    this.#phase = 'calm';
    if (proven.length > 0 || !this.#isSaved) this.#save();
    if (proven.length > 0) this.#options.note({ kind: 'proven', parts: proven });
    this.#release();
  }

  stop(): void {
    this.#isStarting = false;
    this.#rest();
    this.#start.abort();
  }

  /** What failed may have been done in part, so it is on trial too. But it is tried over and over, and asks for no proof. */
  #changed(isDone: boolean): void {
    const onTrial = this.#states.onTrial();
    if (this.#phase === 'returned') {
      if (onTrial.length === 0) this.#options.returned();
      return;
    }
    const wasOnTrial = this.#phase === 'trial';
    if (isDone && !wasOnTrial) this.#isKept = false;
    this.#phase = onTrial.length === 0 ? 'calm' : 'trial';
    if (this.#phase === 'calm') {
      this.#rest();
      return;
    }
    if (!isDone && wasOnTrial) return;
    this.#wait(this.#trial_ms, () => this.#overdue());
    if (isDone) this.#options.tried();
  }

  /** No heartbeat was answered in time. A coordinator that packets get to is away for reasons of its own. */
  async #overdue(): Promise<void> {
    const found = await this.#probe();
    const parts = this.#states.onTrial();
    if (found === 'reached') {
      this.#isKept = true;
      this.#options.note({ kind: 'kept', parts });
      this.#wait(this.#trial_ms, () => this.#overdue());
    }
    if (found !== 'lost') return;
    if (parts.length === 0) {
      this.#phase = 'calm'; // it could not be applied again, and is not in effect
      return;
    }
    this.#states.holdInEffect(parts, this.#now());
    this.#phase = 'returned';
    this.#options.note({ kind: 'rolled_back', parts });
    this.#wait(this.#options.after_s * 1000, () => this.#stillSilent());
    this.#reapply(parts);
  }

  /**
   * The earlier configuration is in effect, and still no heartbeat is answered. If packets get through now, they did not
   * before: that is the verdict, whatever ails the coordinator. If they do not, the change made no difference.
   */
  async #stillSilent(): Promise<void> {
    const found = await this.#probe();
    if (this.#phase !== 'returned') return;
    if (found === 'changed') this.#wait(this.#options.after_s * 1000, () => this.#stillSilent());
    if (found === 'reached') {
      this.#phase = 'calm';
      this.#convict();
    }
    if (found !== 'lost') return;
    const parts = this.#states.holding('pending');
    this.#states.release(parts);
    this.#phase = 'trial';
    this.#isKept = true;
    this.#trial_ms = Math.min(this.#trial_ms * 2, LONGEST_TRIAL_MS);
    this.#options.note({ kind: 'innocent', parts });
    this.#wait(this.#trial_ms, () => this.#overdue());
    this.#reapply(parts);
  }

  /** `changed`: a heartbeat was answered meanwhile, or something else is being put into effect. */
  async #probe(): Promise<'reached' | 'lost' | 'changed'> {
    const [epoch, phase] = [this.#epoch, this.#phase];
    const isReached = await this.#options.reachable();
    if (this.#epoch !== epoch || this.#phase !== phase || this.#busy > 0) return 'changed';
    return isReached ? 'reached' : 'lost';
  }

  /** Of several parts that were rolled back together, each is tried again alone. */
  #convict(): void {
    const parts = this.#states.holding('pending');
    const why = parts.length === 1 ? 'refused' : 'suspect';
    this.#states.judge(parts, why);
    if (why === 'suspect' || parts.length === 0) return;
    this.#save();
    this.#options.note({ kind: 'refused', parts });
  }

  /**
   * An agent that starts holds back what was not proven until a heartbeat is answered. If none is, that says nothing about
   * what is held back: it is tried as any change is, soon where a coordinator can be reached.
   */
  async #resume(): Promise<void> {
    const { clock, after_s, reachable } = this.#options;
    const sleep = (ms: number) => clock.sleep(ms, this.#start.signal).catch(() => undefined); // ended: nothing is held any more
    await sleep(Math.min(after_s * 1000, FIRST_ANSWER_MS));
    if (this.#isStarting && !(await reachable())) await sleep(after_s * 1000);
    if (!this.#isStarting) return;
    this.#isStarting = false;
    this.#release();
  }

  /** A heartbeat was answered under what is in effect: what was held back until then is tried, suspects one at a time. */
  #release(): void {
    const unproven = this.#states.holding('unproven');
    const parts = unproven.length > 0 ? unproven : this.#states.holding('suspect').slice(0, 1);
    if (parts.length === 0) return;
    this.#states.release(parts);
    this.#reapply(parts);
  }

  #reapply(names: readonly string[]): void {
    this.#options.reapply(this.#states.sectionsOf(names));
  }

  #wait(ms: number, then: () => Promise<void>): void {
    this.#rest();
    const timer = new AbortController();
    this.#timer = timer;
    const { clock } = this.#options;
    void clock.sleep(ms, timer.signal).then(then, () => undefined); // a sleep that was ended has no meaning any more
  }

  #rest(): void {
    this.#timer.abort();
  }

  #now(): string {
    return utc(this.#options.clock.now());
  }

  #save(): void {
    const state = this.#states.saved();
    if (state === undefined) return;
    this.#isSaved = true;
    this.#options.save(state);
  }
}
