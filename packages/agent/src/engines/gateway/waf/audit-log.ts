/**
 * Follows ModSecurity's audit log. What was read of it is kept in a file of the agent's own before it is sent, and then its place on
 * the disk is given back: the log is never renamed or cut off under the workers that write it, so that no record is lost to that.
 */
import { open, stat } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { WafObserved } from '@meshwork/contract';
import type { RunCommand } from '../../../host/run-command.ts';
import { messageOf } from '../../../message-of.ts';
import type { GatewayFolder } from '../gateway-folder.ts';
import { isReportable, readRecord } from './audit-record.ts';
import { EventQueue, type WaitingEvents } from './event-queue.ts';
import { RuleInventory } from './rule-inventory.ts';
import { auditLogFile, WAF_FILES, WAF_FOLDER } from './waf-files.ts';

interface AuditLogOptions {
  readonly folder: GatewayFolder;
  readonly now: () => number;
  readonly run: RunCommand;
  readonly warn: (problem: string) => void;
}

interface Kept extends WaitingEvents {
  readonly log: number;
  /** Which file it was. */
  readonly inode: number;
  /** Up to here it was read. */
  readonly place: number;
}

const CHUNK_BYTES = 262_144;
/** Ours: no record is as long. */
const MAX_LINE_BYTES = 4_000_000;
/** Ours: with more than this behind it, its place on the disk is given back. */
const GIVE_BACK_BYTES = 1_048_576;
const PAGE = 4096;
const BEGIN = '{"transaction":{';

export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #queue: EventQueue;
  #log = 0;
  #inode = 0;
  #place = 0;
  #givenBack = 0;
  #inventory = new RuleInventory([]);
  #isOpen = false;
  #saved = '';

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#queue = new EventQueue(options.now());
  }

  /** Paths of rules stand in records; what else is known of them stands here. */
  knows(inventory: RuleInventory): void {
    this.#inventory = inventory;
  }

  /** Path of the log. Makes it when it is not there; another one when it is not the one that was made. */
  async prepare(): Promise<string> {
    const { folder } = this.#options;
    await this.#restore();
    const found = await this.#found();
    if (this.#inode !== 0 && found?.ino !== this.#inode) {
      await this.#options.folder.delete(auditLogFile(this.#log));
      this.#log += 1;
      this.#lost('was taken away');
    }
    await folder.own(auditLogFile(this.#log));
    const made = await this.#found();
    if (made !== undefined && made.ino !== this.#inode) {
      this.#inode = made.ino;
      this.#place = 0;
      this.#givenBack = 0;
    }
    await this.#save();
    return folder.file(auditLogFile(this.#log));
  }

  get file(): string {
    return auditLogFile(this.#log);
  }

  async #restore(): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const text = await this.#options.folder.read(WAF_FILES.events);
    if (text === undefined) return;
    try {
      const { log, inode, place, ...waiting } = JSON.parse(text) as Kept;
      [this.#log, this.#inode, this.#place] = [log, inode, place];
      this.#queue.restore(waiting);
      this.#saved = text;
    } catch (error) {
      this.#lost(`cannot be followed from where it was: ${messageOf(error)}`);
    }
  }

  async #found() {
    return await stat(this.#options.folder.file(auditLogFile(this.#log))).catch(() => undefined);
  }

  /** In words. Null: workers write into the file that is read. */
  async fault(): Promise<string | null> {
    const found = await this.#found();
    if (found?.ino === this.#inode) return null;
    return `${this.#options.folder.file(auditLogFile(this.#log))} was taken away`;
  }

  /** Takes in what was written since. Answers whether there is news. */
  async read(): Promise<boolean> {
    await this.#restore();
    if (this.#inode === 0) return false;
    const handle = await open(this.#options.folder.file(auditLogFile(this.#log)), 'r').catch(() => undefined);
    if (handle === undefined) return false;
    let news = false;
    try {
      const { ino, size } = await handle.stat();
      if (ino !== this.#inode) return false; // it is another one with the next configuration
      if (size < this.#place) {
        this.#place = 0;
        this.#lost('was cut off');
      }
      let rest = Buffer.alloc(0);
      let at = this.#place;
      for (;;) {
        const buffer = Buffer.alloc(CHUNK_BYTES);
        const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at);
        if (bytesRead === 0) break;
        at += bytesRead;
        const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
        const end = bytes.lastIndexOf(10) + 1;
        for (const line of bytes.toString('utf8', 0, end).split('\n')) news = this.#take(line) || news;
        this.#place += end;
        rest = bytes.subarray(end);
        if (rest.length > MAX_LINE_BYTES) {
          this.#place += rest.length;
          rest = Buffer.alloc(0);
          this.#lost('has a line that does not end');
        }
        await turn();
      }
    } finally {
      await handle.close();
    }
    await this.#keep();
    return news;
  }

  #take(line: string): boolean {
    const text = line.replaceAll('\0', '');
    if (text === '') return false;
    let report = readRecord(text, this.#inventory);
    if (report === undefined) {
      this.#lost('has a record that was not written to its end');
      const last = text.lastIndexOf(BEGIN);
      report = last > 0 ? readRecord(text.slice(last), this.#inventory) : undefined;
    }
    if (report === undefined || report === null || !isReportable(report)) return false;
    this.#queue.add(report);
    return true;
  }

  #lost(what: string): void {
    this.#queue.lost(this.#options.now());
    this.#options.warn(`the log of the WAF ${what}: some of its events may be missing`);
  }

  /** First what was read, and then its place: a restart in between reads it again, and makes the same events of it. */
  async #keep(): Promise<void> {
    if (!(await this.#options.folder.has(WAF_FOLDER))) return; // nothing is served any more
    try {
      await this.#save();
      await this.#giveBack();
    } catch (error) {
      this.#options.warn(`what the WAF found cannot be kept for a restart: ${messageOf(error)}`);
    }
  }

  async #save(): Promise<void> {
    const kept: Kept = { log: this.#log, inode: this.#inode, place: this.#place, ...this.#queue.waiting };
    const text = JSON.stringify(kept);
    if (text === this.#saved) return;
    await this.#options.folder.write(WAF_FILES.events, text);
    this.#saved = text;
  }

  async #giveBack(): Promise<void> {
    const until = this.#place - (this.#place % PAGE);
    if (until - this.#givenBack < GIVE_BACK_BYTES) return;
    const path = this.#options.folder.file(auditLogFile(this.#log));
    await this.#options.run('fallocate', ['--punch-hole', '--offset', '0', '--length', String(until), path]);
    this.#givenBack = until;
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
