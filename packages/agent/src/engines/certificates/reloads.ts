/**
 * Has services read their files anew: `systemctl try-reload-or-restart`, which leaves alone what does not run. Beside what is
 * applied and not a part of it: the certificate is in effect on this node when its files are, and a web server with a broken
 * configuration must not make the section an error. But a service that missed a renewal would serve a certificate until
 * it has expired, and longer. So which generation each unit has read is kept on disk, and one that could not be
 * reloaded is tried again: with the next change at once, else after a minute, and doubling up to an hour.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { backOff } from '@meshwork/time';
import { readPrivate, writeAtomically } from '../../host/atomic-file.ts';
import type { AgentLog } from '../../host/log.ts';
import type { RunCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';
import { NO_GENERATION } from './tls-folder.ts';

const FILE = 'certificate-reloads.json';
/** Ours: a server may let go of its connections first. */
const TIMEOUT_MS = 120_000;
/** Ours. */
const RETRY = { first_ms: 60_000, longest_ms: 3_600_000 } as const;

interface ReloadsOptions {
  /** A private folder. */
  readonly folder: string;
  readonly units: readonly string[];
  readonly run: RunCommand;
  readonly now: () => number;
  readonly log: Pick<AgentLog, 'info' | 'warn'>;
}

interface Failed {
  readonly times: number;
  readonly retry_ms: number;
}

export class Reloads {
  readonly #options: ReloadsOptions;
  /** By unit, the generation that it was last reloaded for. */
  readonly #read: Map<string, string>;
  readonly #failed = new Map<string, Failed>();
  readonly #outcomes = new Map<string, string>();
  #generation: string | undefined;
  #running: Promise<void> | undefined;

  private constructor(options: ReloadsOptions, read: Map<string, string>) {
    this.#options = options;
    this.#read = read;
  }

  /** When it is not known what units have read, they read it again: that harms nothing. */
  static async open(options: ReloadsOptions): Promise<Reloads> {
    try {
      const text = await readPrivate(join(options.folder, FILE));
      const saved = Object.entries(JSON.parse(text ?? '{}') as Record<string, unknown>);
      const known = saved.filter(([unit, read]) => options.units.includes(unit) && typeof read === 'string');
      return new Reloads(options, new Map(known as [string, string][]));
    } catch (error) {
      options.log.warn(`it is not known what services have read: ${messageOf(error)}`);
      return new Reloads(options, new Map());
    }
  }

  static async remove(folder: string): Promise<void> {
    await rm(join(folder, FILE), { force: true });
  }

  /** This generation is in use now. Units that have read another one are reloaded, beside everything else. */
  follow(generation: string): void {
    if (generation !== this.#generation) this.#failed.clear();
    this.#generation = generation;
    this.retry();
  }

  /** Tries those again whose time has come. */
  retry(): void {
    if (this.#next() === undefined) return;
    this.#running ??= this.#reloadAll();
  }

  /** Resolves when nothing is being reloaded. */
  async settled(): Promise<void> {
    await this.#running;
  }

  /** What came of it last, by unit. */
  get outcomes(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.#options.units.map((unit) => [unit, this.#outcomes.get(unit) ?? 'not since the start']),
    );
  }

  async #reloadAll(): Promise<void> {
    for (let unit = this.#next(); unit !== undefined; unit = this.#next()) await this.#reload(unit);
    this.#running = undefined; // in the same breath as the last look, so that nothing falls between
  }

  #next(): string | undefined {
    const { units, now } = this.#options;
    const isDue = (unit: string) => {
      const failed = this.#failed.get(unit);
      if ((this.#read.get(unit) ?? NO_GENERATION) === (this.#generation ?? NO_GENERATION)) return false;
      // More than the longest: the clock was set back.
      return failed === undefined || failed.retry_ms <= now() || failed.retry_ms - now() > RETRY.longest_ms;
    };
    return units.find(isDue);
  }

  async #reload(unit: string): Promise<void> {
    const { run, now, log } = this.#options;
    const generation = this.#generation ?? NO_GENERATION; // the one that it finds, or an older one
    try {
      await run('systemctl', ['try-reload-or-restart', '--', unit], { timeout_ms: TIMEOUT_MS });
    } catch (error) {
      const times = (this.#failed.get(unit)?.times ?? 0) + 1;
      this.#failed.set(unit, { times, retry_ms: now() + backOff(RETRY.first_ms, times - 1, RETRY.longest_ms) });
      this.#outcomes.set(unit, messageOf(error));
      log.warn(`a service could not be reloaded after its certificate changed: ${messageOf(error)}`, { unit });
      return;
    }
    this.#failed.delete(unit);
    this.#read.set(unit, generation);
    this.#outcomes.set(unit, 'reloaded');
    log.info('reloaded a service: its certificate changed', { unit });
    await this.#save();
  }

  /** What cannot be saved costs one more reload after the next start. */
  async #save(): Promise<void> {
    const { folder, log } = this.#options;
    const text = JSON.stringify(Object.fromEntries(this.#read));
    await writeAtomically(join(folder, FILE), text).catch((error: Error) => log.warn(error.message));
  }
}
