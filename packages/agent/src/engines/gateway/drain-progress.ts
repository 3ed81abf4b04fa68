/** What is open through the ingresses of a gateway, as last counted, and how far those are that drain. */
import type { IngressAssignment } from '@meshwork/contract';
import type { Cuts } from './control.ts';
import type { DrainDeadlines } from './drain-deadlines.ts';
import { DrainRounds } from './drain-rounds.ts';
import type { StreamFiles } from './stream-files.ts';

interface DrainProgressParts {
  readonly control: { open(): Promise<ReadonlyMap<string, number>>; cuts(): Promise<Cuts> };
  readonly streams: StreamFiles;
  readonly deadlines: DrainDeadlines;
  /** What is served. Undefined: nothing. */
  readonly section: () => readonly IngressAssignment[] | undefined;
  /** After what is being done with nginx. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  /** Tells nginx what has to end. */
  readonly order: () => Promise<void>;
  /** What nginx counts besides, each time that it is asked. */
  readonly counted: (cuts: Cuts) => void;
  readonly ended: () => void;
  readonly failed: (error: unknown) => void;
}

export class DrainProgress {
  readonly #parts: DrainProgressParts;
  readonly #rounds: DrainRounds;
  #open: ReadonlyMap<string, number> = new Map();

  constructor(parts: DrainProgressParts) {
    const { deadlines, inTurn, order, ended, failed } = parts;
    this.#parts = parts;
    this.#rounds = new DrainRounds({
      next: () => deadlines.next(),
      order: () => inTurn(order),
      isLeft: () => inTurn(() => this.#isLeft()),
      ended,
      failed,
    });
  }

  /** By id of the ingress: requests where nginx looks into them, and connections where it does not. */
  get open(): ReadonlyMap<string, number> {
    return this.#open;
  }

  async count(): Promise<void> {
    const { control, streams, deadlines, section, counted } = this.#parts;
    const open = new Map([...(await control.open()), ...(await streams.count(section() ?? []))]);
    const cuts = await control.cuts(); // after the others: what is not open any more was counted by then
    await deadlines.count(cuts);
    counted(cuts);
    this.#open = open;
  }

  /** Ends what a deadline that has come leaves no more time, and waits for the next one. `rounds`: how often it is tried. */
  goOn(rounds?: number): void {
    this.#rounds.await(); // a host that slept has come further than its timers
    if (this.#hasMoreToEnd()) this.#rounds.begin(rounds);
  }

  stop(): void {
    this.#rounds.stop();
    this.#open = new Map();
  }

  async #isLeft(): Promise<boolean> {
    if (this.#parts.section() !== undefined) await this.count();
    return this.#hasMoreToEnd();
  }

  #hasMoreToEnd(): boolean {
    const { deadlines } = this.#parts;
    return [...this.#open].some(([id, count]) => count > 0 && deadlines.of(id)?.has_come === true);
  }
}
