/**
 * Follows a file that programs append lines to. It is never renamed under them: what was read gives its place on the disk back, and space
 * behind the end is reserved, so that a full disk loses nothing. The programs may empty it themselves when it is read too slowly
 * (`lua/bounded-log.ts`). Whenever lines can have been lost, that is said.
 */
import { type FileHandle, open, stat } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';

interface FollowedLogOptions {
  readonly path: string;
  readonly run: RunCommand;
  /** A line, without its end. `beginning` and `end` of one that is longer than `MAX_LINE_BYTES`. */
  readonly take: (line: string | LongLine) => void;
  /** Lines may be missing from now on back: why, in words. */
  readonly lost: (why: string) => void;
  /** What could not be done, and is tried again. */
  readonly warn: (problem: string) => void;
}

export interface LongLine {
  readonly beginning: string;
  readonly end: string;
}

/** The processes that write, as nginx counts them. */
export interface Workers {
  /** Its process. */
  readonly nginx: number;
  readonly lost_workers: number;
}

/** Kept for another start. */
export interface FollowedPlace {
  /** Which file it was. 0: none yet. */
  readonly inode: number;
  /** Up to here it was read. */
  readonly place: number;
  /** Its first line, when it was last emptied by those that write it. */
  readonly emptied: string;
  /** Up to here the disk has room for it. */
  readonly reserved: number;
  /** Absent: nginx has not said it yet. */
  readonly workers?: Workers;
}

/** Not yet read, and not yet reserved: nothing. */
const NEW_LOG: FollowedPlace = { inode: 0, place: 0, emptied: '', reserved: 0 };
/** Ours: those that write empty it when more than this was not read. */
export const MAX_UNREAD_BYTES = 16 * 1024 * 1024;
/** Ours: reserved beyond that, for lines that are written at the same time. */
const MORE_BYTES = 4 * 1024 * 1024;
const CHUNK_BYTES = 262_144;
export const MAX_LINE_BYTES = 1_000_000;
/** Ours: of a longer line. */
const BEGINNING_BYTES = 500_000;
const END_BYTES = 100_000;
/** Ours: with more than this behind it, its place on the disk is given back. */
const GIVE_BACK_BYTES = 1_048_576;
const PAGE = 4096;
/** How a log begins that was emptied: see `lua/bounded-log.ts`. */
const EMPTIED = /^\{"emptied":"[0-9.]{1,40}"\}(?=\n)/;
const NEWLINE = 10;

export class FollowedLog {
  readonly #options: FollowedLogOptions;
  #at: FollowedPlace;
  #givenBack = 0;
  #size = 0;
  /** What failed, so that it is said once. */
  #failing = '';

  constructor(options: FollowedLogOptions, at: Partial<FollowedPlace> = {}) {
    this.#options = options;
    this.#at = { ...NEW_LOG, ...at };
  }

  get at(): FollowedPlace {
    return this.#at;
  }

  /** Whether it is the file that was followed, or none was followed yet. */
  async isSame(): Promise<boolean> {
    return this.#at.inode === 0 || (await this.#inode()) === this.#at.inode;
  }

  async #inode(): Promise<number | undefined> {
    return (await stat(this.#options.path).catch(() => undefined))?.ino;
  }

  /** The file is there now: follows it from its beginning, unless it is the one that was followed. */
  async begin(): Promise<void> {
    const inode = (await this.#inode()) ?? 0;
    if (inode !== this.#at.inode) {
      this.#at = { ...this.#at, ...NEW_LOG, inode };
      this.#givenBack = 0;
      this.#size = 0;
    }
    await this.#reserve();
  }

  /** A process that was ended in the middle of its work has not written all of it. */
  heardOf({ nginx, lost_workers }: Workers): void {
    const { workers: before } = this.#at;
    this.#at = { ...this.#at, workers: { nginx, lost_workers } };
    if (before !== undefined && before.nginx !== nginx) this.#options.lost('ends with an nginx that ended');
    else if (lost_workers > (before?.lost_workers ?? 0))
      this.#options.lost('lacks what a process of nginx had not written when it was killed');
  }

  /** Takes in what was written since. */
  async read(): Promise<void> {
    if (this.#at.inode === 0) return;
    const handle = await open(this.#options.path, 'r').catch(() => undefined);
    if (handle === undefined) return;
    try {
      const { ino, size } = await handle.stat();
      if (ino !== this.#at.inode) return; // it is another one with the next configuration
      await this.#compare(handle, size);
      await this.#readOn(handle);
    } finally {
      await handle.close();
    }
  }

  /** Whether it still is what was read until now. */
  async #compare(handle: FileHandle, size: number): Promise<void> {
    const { place, emptied } = this.#at;
    const buffer = Buffer.alloc(64);
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const [first = ''] = EMPTIED.exec(buffer.toString('latin1', 0, bytesRead)) ?? [];
    if (first !== '' && first !== emptied) {
      this.#restart({ place: first.length + 1, emptied: first, reserved: size }, 'was read too slowly, and emptied');
    } else if (size < place) {
      this.#restart({ place: 0, emptied, reserved: size }, 'was cut off');
    }
    this.#checkRoom(size);
  }

  #checkRoom(size: number): void {
    if (size > this.#at.reserved && size > this.#size) {
      this.#options.lost('has outgrown the space that was reserved for it');
    }
    this.#size = size;
  }

  #restart(at: Partial<FollowedPlace>, why: string): void {
    this.#at = { ...this.#at, ...at };
    this.#givenBack = 0;
    this.#size = 0;
    this.#options.lost(why);
  }

  async #readOn(handle: FileHandle): Promise<void> {
    let rest = Buffer.alloc(0);
    let long: Buffer | undefined; // the beginning of a line that is too long
    let at = this.#at.place;
    for (;;) {
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      let bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      if (long !== undefined) {
        const end = bytes.indexOf(NEWLINE);
        if (end !== -1) {
          this.#options.take({ beginning: long.toString(), end: bytes.subarray(0, end).toString() });
          long = undefined;
          bytes = bytes.subarray(end + 1);
        } else bytes = bytes.subarray(-END_BYTES);
      }
      if (long === undefined) {
        const end = bytes.lastIndexOf(NEWLINE) + 1;
        if (end > 0) for (const line of bytes.toString('utf8', 0, end - 1).split('\n')) this.#take(line);
        bytes = bytes.subarray(end);
        this.#at = { ...this.#at, place: at - bytes.length };
        if (bytes.length > MAX_LINE_BYTES) {
          long = bytes.subarray(0, BEGINNING_BYTES);
          bytes = bytes.subarray(-END_BYTES);
        }
      }
      rest = bytes;
      await turn();
    }
  }

  #take(line: string): void {
    const text = line.replaceAll('\0', ''); // of what was given back
    if (text !== '') this.#options.take(text);
  }

  /** What was read until there was kept by the caller: its place on the disk goes, and what comes next has room. */
  async giveBack({ inode, place }: FollowedPlace): Promise<void> {
    if (inode !== this.#at.inode || place > this.#at.place) return; // it was emptied since
    const { path, run } = this.#options;
    const until = place - (place % PAGE);
    if (until - this.#givenBack >= GIVE_BACK_BYTES) {
      await this.#trying(async () => {
        await run('fallocate', ['--punch-hole', '--offset', '0', '--length', String(until), path]);
        this.#givenBack = until;
      });
    }
    await this.#reserve();
  }

  async #reserve(): Promise<void> {
    const { path, run } = this.#options;
    const { place, reserved, inode } = this.#at;
    if (inode === 0 || reserved >= place + MAX_UNREAD_BYTES + MORE_BYTES / 2) return;
    const length = MAX_UNREAD_BYTES + MORE_BYTES;
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && reserved > 0) this.#checkRoom(found.size);
    await this.#trying(async () => {
      await run('fallocate', ['--keep-size', '--offset', String(place), '--length', String(length), path]);
      // What was written while there was no room may be missing.
      if (this.#failing !== '') this.#options.lost('had no space reserved for it');
      this.#at = { ...this.#at, reserved: place + length };
    });
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.#failing = '';
    } catch (error) {
      const problem = `${this.#options.path}: ${messageOf(error)}`;
      if (problem !== this.#failing) this.#options.warn(problem);
      this.#failing = problem;
    }
  }
}
