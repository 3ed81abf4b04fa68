/**
 * Counts the requests that nginx has answered, from its log (`access-log.ts`). Counts and how far the log was read are kept together, so
 * that an agent that is started anew counts no request twice and none not at all. Only then the log gives its place on the disk back.
 */
import type { IngressAssignment, TrafficCount, TrafficObserved } from '@meshwork/contract';
import { InTurn } from '../../../host/in-turn.ts';
import type { RunCommand } from '../../../host/run-command.ts';
import { messageOf } from '../../../message-of.ts';
import { FollowedLog, type FollowedPlace, type LongLine, type Workers } from '../followed-log.ts';
import { GATEWAY_FILES, GATEWAY_FOLDERS } from '../gateway-files.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { isCounted } from './access-log.ts';
import { readLine } from './read-line.ts';
import { type KeptCounts, TrafficCounts } from './traffic-counts.ts';

interface GatewayTrafficOptions {
  readonly folder: GatewayFolder;
  readonly now: () => number;
  readonly run: RunCommand;
  readonly warn: (problem: string) => void;
}

interface Kept extends KeptCounts {
  readonly log: FollowedPlace;
}

/** Ours: what is asked for is a few seconds old at most. */
const READ_EVERY_MS = 2000;

export class GatewayTraffic {
  readonly #options: GatewayTrafficOptions;
  readonly #counts: TrafficCounts;
  readonly #turns = new InTurn();
  #log: FollowedLog;
  #byHostname: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;
  #saved = '';
  #said = '';

  constructor(options: GatewayTrafficOptions) {
    this.#options = options;
    this.#counts = new TrafficCounts(options.now());
    this.#log = this.#follow();
  }

  #follow(at?: Partial<FollowedPlace>): FollowedLog {
    const { folder, run, warn } = this.#options;
    const path = folder.file(GATEWAY_FILES.requests);
    return new FollowedLog(
      { path, run, take: (line) => this.#take(line), lost: (why) => this.#lost(`their log ${why}`), warn },
      at,
    );
  }

  /** Before nginx is to write it: makes the log, and goes on with what was counted before. */
  async prepare(section: readonly IngressAssignment[]): Promise<void> {
    if (!section.some(isCounted)) return;
    const { folder } = this.#options;
    await this.#turns.take(async () => {
      await folder.folder(GATEWAY_FOLDERS.traffic);
      await this.#restore();
      if (!(await this.#log.isSame())) this.#lost('their log was taken away');
      await folder.own(GATEWAY_FILES.requests, 'written by both');
      await this.#log.begin();
      await this.#save();
    });
  }

  /** It serves now. */
  async serves(section: readonly IngressAssignment[]): Promise<void> {
    const counted = section.filter(isCounted);
    if (counted.length === 0) return this.stop();
    this.#byHostname = new Map(counted.map(({ hostname, id }) => [hostname, id]));
    await this.read();
    const ids = new Set(counted.map(({ id }) => id));
    if (!this.#counts.keepOnly(ids)) this.#lost('an ingress came back that was not counted meanwhile');
    this.#timer ??= setInterval(() => void this.read(), READ_EVERY_MS).unref();
  }

  async #restore(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const text = await this.#options.folder.read(GATEWAY_FILES.counts);
    if (text === undefined) return;
    try {
      const { log, ...counts } = JSON.parse(text) as Kept;
      this.#counts.restore(counts);
      this.#log = this.#follow(log);
      this.#saved = text;
    } catch (error) {
      this.#lost(`what was kept cannot be read: ${messageOf(error)}`);
    }
  }

  /** Takes in what was written since. Never rejects: what failed is tried again. */
  async read(): Promise<void> {
    await this.#turns
      .take(async () => {
        if (!this.#isOpen) return;
        await this.#log.read();
        await this.#save();
      })
      .catch((error: unknown) => this.#warnOnce(`requests cannot be counted: ${messageOf(error)}`));
  }

  #take(line: string | LongLine): void {
    const request = typeof line === 'string' ? readLine(line, this.#byHostname) : undefined;
    if (request !== undefined) this.#counts.add(request);
  }

  #lost(why: string): void {
    this.#counts.restart(this.#options.now());
    this.#warnOnce(`requests are counted anew from now on, as some may be missing: ${why}`);
  }

  /** A process that was killed takes up to a second of its lines with it. */
  heardOf(workers: Workers): void {
    if (this.#timer !== undefined) this.#log.heardOf(workers);
  }

  async #save(): Promise<void> {
    const { folder } = this.#options;
    if (!(await folder.has(GATEWAY_FOLDERS.traffic))) return; // nothing is served any more
    const { at } = this.#log;
    const text = JSON.stringify({ log: at, ...this.#counts.kept } satisfies Kept);
    if (text !== this.#saved) await folder.write(GATEWAY_FILES.counts, text);
    this.#saved = text;
    this.#said = '';
    await this.#log.giveBack(at);
  }

  #warnOnce(problem: string): void {
    if (problem !== this.#said) this.#options.warn(problem);
    this.#said = problem;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** All that was served is gone, and so is the folder. */
  forget(): void {
    this.stop();
    this.#isOpen = false;
    this.#saved = '';
    this.#log = this.#follow();
    this.#counts.restart(this.#options.now());
  }

  /** Undefined: nothing is counted. */
  observed(extent: 'changes' | 'everything'): TrafficObserved | undefined {
    return this.#timer === undefined ? undefined : this.#counts.observed(extent);
  }

  /** As of the last read, for metrics. */
  get counts(): readonly TrafficCount[] {
    return this.observed('everything')?.counts ?? [];
  }

  reported(traffic: TrafficObserved): void {
    this.#counts.reported(traffic);
  }
}
