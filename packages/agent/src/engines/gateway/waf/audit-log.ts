/**
 * What ModSecurity writes into its audit log, on its way to the coordinator: each record is kept in a file of the agent's own before it is
 * sent, and only then the log gives its place on the disk back. Whenever a record can have been lost, counts begin anew.
 */
import type { WafObserved } from '@meshwork/contract';
import { InTurn } from '../../../host/in-turn.ts';
import type { RunCommand } from '../../../host/run-command.ts';
import { messageOf } from '../../../message-of.ts';
import { FollowedLog, type FollowedPlace, type LongLine, type Workers } from '../followed-log.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { isReportable, readLongRecord, readRecord } from './audit-record.ts';
import { EventQueue, type WaitingEvents } from './event-queue.ts';
import { RuleInventory } from './rule-inventory.ts';
import { auditLogFile, WAF_FILES, WAF_FOLDER } from './waf-files.ts';

interface AuditLogOptions {
  readonly folder: GatewayFolder;
  readonly now: () => number;
  readonly run: RunCommand;
  readonly warn: (problem: string) => void;
}

interface Kept extends WaitingEvents, FollowedPlace {
  /** Which one: another one when the one before was taken away. */
  readonly log: number;
}

const BEGIN = '{"transaction":{';

export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #queue: EventQueue;
  readonly #saves = new InTurn();
  #number = 0;
  #log: FollowedLog;
  #inventory = new RuleInventory([]);
  #isOpen = false;
  #saved = '';
  #hasNews = false;
  /** What was warned of in this round: a thousand records that are broken are one warning. */
  readonly #said = new Set<string>();

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#queue = new EventQueue(options.now());
    this.#log = this.#follow();
  }

  #follow(at?: Partial<FollowedPlace>): FollowedLog {
    const { folder, run, warn } = this.#options;
    return new FollowedLog(
      {
        path: folder.file(this.file),
        run,
        take: (line) => this.#take(line),
        lost: (why) => this.lost(`its log ${why}`),
        warn,
      },
      at,
    );
  }

  /** Paths of rules stand in records; what else is known of them stands here. */
  knows(inventory: RuleInventory): void {
    this.#inventory = inventory;
  }

  /** Path of the log. Makes it when it is not there; another one when it is not the one that was made. */
  async prepare(): Promise<string> {
    const { folder } = this.#options;
    await this.#restore();
    if (!(await this.#log.isSame())) {
      await folder.delete(this.file);
      this.#number += 1;
      const { workers } = this.#log.at;
      this.#log = this.#follow(workers === undefined ? {} : { workers });
      this.lost('its log was taken away');
    }
    await folder.own(this.file, 'written by both');
    await this.#log.begin();
    await this.#save();
    return folder.file(this.file);
  }

  get file(): string {
    return auditLogFile(this.#number);
  }

  async #restore(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const text = await this.#options.folder.read(WAF_FILES.events);
    if (text === undefined) return;
    try {
      const { log, events, left_out, counted_from, ...at } = JSON.parse(text) as Kept;
      this.#number = log;
      this.#log = this.#follow(at);
      this.#queue.restore({ events, left_out, counted_from });
      this.#saved = text;
    } catch (error) {
      this.lost(`its log cannot be followed from where it was: ${messageOf(error)}`);
    }
  }

  /** In words. Null: workers write into the file that is read. */
  async fault(): Promise<string | null> {
    return (await this.#log.isSame()) ? null : `${this.#options.folder.file(this.file)} was taken away`;
  }

  /** Takes in what was written since. Answers whether there is news. */
  async read(): Promise<boolean> {
    await this.#restore();
    this.#hasNews = false;
    this.#said.clear();
    await this.#log.read();
    await this.#keep();
    return this.#hasNews;
  }

  #take(line: string | LongLine): void {
    let report = this.#reportIn(line);
    if (report === undefined) {
      this.lost('its log has a record that was not written to its end');
      const text = typeof line === 'string' ? line : line.end;
      const last = text.lastIndexOf(BEGIN);
      report = last > 0 ? readRecord(text.slice(last), this.#inventory) : undefined;
    }
    if (report === undefined || report === null || !isReportable(report)) return;
    this.#queue.add(report);
    this.#hasNews = true;
  }

  #reportIn(line: string | LongLine) {
    return typeof line === 'string' ? readRecord(line, this.#inventory) : readLongRecord(line, this.#inventory);
  }

  /** Events may be missing. Why, in words. */
  lost(why: string): void {
    this.#queue.lost(this.#options.now());
    this.#warnOnce(`some events of the WAF may be missing: ${why}`);
  }

  heardOf(workers: Workers): void {
    this.#log.heardOf(workers);
  }

  /** First what was read, and then its place: a restart in between reads it again, and makes the same events of it. */
  async #keep(): Promise<void> {
    if (!(await this.#options.folder.has(WAF_FOLDER))) return; // nothing is served any more
    const kept = await this.#save().catch((error: unknown) => {
      this.#warnOnce(`what the WAF found cannot be kept for a restart: ${messageOf(error)}`);
    });
    // Where nothing waits, the coordinator has all of it.
    const place = kept ?? (this.isWaiting ? undefined : this.#log.at);
    if (place !== undefined) await this.#log.giveBack(place);
  }

  #warnOnce(problem: string): void {
    if (!this.#said.has(problem)) this.#options.warn(problem);
    this.#said.add(problem);
  }

  /** One after the other: an older state must not come after a newer one. */
  #save(): Promise<FollowedPlace> {
    return this.#saves.take(async () => {
      const { at } = this.#log;
      const kept: Kept = { log: this.#number, ...at, ...this.#queue.waiting };
      const text = JSON.stringify(kept);
      if (text !== this.#saved) await this.#options.folder.write(WAF_FILES.events, text);
      this.#saved = text;
      return at;
    });
  }

  /** Whether there is anything that the coordinator does not have. */
  get isWaiting(): boolean {
    const { events, left_out } = this.#queue.waiting;
    return events.length + left_out.length > 0;
  }

  observed(): WafObserved {
    return this.#queue.observed();
  }

  async answered(observed: WafObserved): Promise<boolean> {
    if (!this.#queue.answered(observed)) return false;
    await this.#keep();
    return true;
  }
}
