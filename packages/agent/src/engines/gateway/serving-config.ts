import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandError, type RunCommand } from '../../host/run-command.ts';
import { messageOf } from '../../message-of.ts';
import { GATEWAY_FILES } from './gateway-files.ts';
import { type GatewayFolder, NOT_INSTALLED } from './gateway-folder.ts';
import type { NginxConfig } from './nginx-config.ts';
import { complaintIn, type NginxLog } from './nginx-log.ts';
import type { NginxProcess } from './nginx-process.ts';

/** What is asked of the private socket to know which configuration serves: see `control.ts`. */
interface Generations {
  generation(): Promise<string>;
}

interface ServingConfigParts {
  readonly folder: GatewayFolder;
  readonly process: NginxProcess;
  readonly nginx_log: NginxLog;
  readonly control: Generations;
  readonly run: RunCommand;
  /** Absent: `RELOAD_EVERY_MS`. */
  readonly reload_every_ms?: number | undefined;
}

/** Ours: nginx takes a quarter of a second, and some seconds on a busy machine, or with a thousand ingresses. */
const SERVES_WITHIN_MS = 10_000;
const MORE_MS_A_KILOBYTE = 10;
/** Ours: changes that come in quick succession share a reload. Each one leaves workers behind that finish their requests. */
const RELOAD_EVERY_MS = 1000;
/** Each look takes some milliseconds of the processor, which the new workers need just then. */
const POLL_MS = 50;

/** Has nginx serve a configuration, and proves that it does. What it cannot use leaves the last good one in place. */
export class ServingConfig {
  readonly #parts: ServingConfigParts;
  #reloadedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: ServingConfigParts) {
    this.#parts = parts;
  }

  async serve(config: NginxConfig): Promise<void> {
    const { folder } = this.#parts;
    const runs = await this.#adopted();
    const before = await folder.read(GATEWAY_FILES.config);
    if (runs && before === config.text && (await this.#served()) === config.generation) return;
    const groups = await folder.read(GATEWAY_FILES.groups);
    await folder.write(GATEWAY_FILES.groups, config.groups);
    try {
      await this.#try(config.text);
      const { reload_every_ms = RELOAD_EVERY_MS } = this.#parts;
      await pause(Math.max(0, this.#reloadedAt + reload_every_ms - performance.now()));
      await folder.write(GATEWAY_FILES.config, config.text);
      await this.#begin(config);
    } catch (error) {
      // nginx goes on with what it had: so would the next one that is started.
      if (runs && before !== undefined) await folder.write(GATEWAY_FILES.config, before);
      if (runs && groups !== undefined) await folder.write(GATEWAY_FILES.groups, groups);
      throw error;
    }
  }

  /**
   * One whose socket or log another program took away can be neither asked nor heard any more. One whose package was upgraded has
   * the faults of the old one, and may not take the modules of the new one. Both are ended, as the package does with its own.
   */
  async #adopted(): Promise<boolean> {
    const { folder, process } = this.#parts;
    const isWhole = (await folder.has(GATEWAY_FILES.control)) && (await folder.has(GATEWAY_FILES.log));
    if (isWhole && !(await process.isOutdated())) return await process.adopt();
    await process.end();
    return false;
  }

  /** In words. Null: it serves this one. */
  async fault({ text, generation }: NginxConfig): Promise<string | null> {
    const { folder, process, control } = this.#parts;
    if ((await process.pid()) === undefined) return 'nginx does not run';
    if ((await folder.read(GATEWAY_FILES.config)) !== text) return `${folder.file(GATEWAY_FILES.config)} was changed`;
    if (await process.isOutdated()) return 'nginx was upgraded, and runs as it was before';
    const served = await control.generation().catch((error: unknown) => messageOf(error));
    return served === generation ? null : `nginx does not serve this configuration: ${served}`;
  }

  /** Undefined: it does not say. */
  async #served(): Promise<string | undefined> {
    return await this.#parts.control.generation().catch(() => undefined);
  }

  async #try(text: string): Promise<void> {
    const { folder, run } = this.#parts;
    const candidate = folder.file(GATEWAY_FILES.candidate);
    await folder.write(GATEWAY_FILES.candidate, text);
    try {
      await run('nginx', ['-t', '-q', '-e', 'stderr', '-p', `${folder.path}/`, '-c', candidate]);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.exit === 'ENOENT') throw new Error(NOT_INSTALLED, { cause: error });
      throw new Error(`nginx does not take the configuration: ${reasonIn(error, candidate)}`, { cause: error });
    } finally {
      await folder.delete(GATEWAY_FILES.candidate);
    }
  }

  async #begin(config: NginxConfig): Promise<void> {
    const { process } = this.#parts;
    const before = await process.workers();
    const runs = (await process.pid()) !== undefined;
    this.#reloadedAt = performance.now();
    if (runs) await process.reload();
    else await process.start();
    try {
      await this.#proven(config, before);
    } catch (error) {
      if (!runs) await process.end(); // nothing is left half there
      throw error;
    }
  }

  /** The new workers answer, and none of those before takes connections any more. */
  async #proven({ generation, text, groups }: NginxConfig, before: readonly number[]): Promise<void> {
    const { process, nginx_log } = this.#parts;
    const by = performance.now() + SERVES_WITHIN_MS + ((text.length + groups.length) / 1000) * MORE_MS_A_KILOBYTE;
    let found: string | undefined;
    for (;;) {
      found = await this.#served();
      if (found === generation && !(await this.#takeStill(before))) return;
      if (nginx_log.taken !== undefined || nginx_log.grave !== undefined || performance.now() > by) break;
      if ((await process.pid()) === undefined) break;
      await pause(POLL_MS);
    }
    if (nginx_log.taken !== undefined) throw portTaken(nginx_log.taken);
    throw new Error(`nginx does not serve the configuration: ${nginx_log.grave ?? found ?? 'it does not answer'}`);
  }

  async #takeStill(before: readonly number[]): Promise<boolean> {
    const taking = await this.#parts.process.workers();
    return before.some((pid) => taking.includes(pid));
  }
}

function portTaken(place: string): Error {
  const usual = 'If that is the service of the nginx package: systemctl disable --now nginx';
  return new Error(`another program has ${place}. ${usual}`);
}

/** In nginx's own words, without the name of a draft that is gone. */
function reasonIn({ stderr, message }: CommandError, candidate: string): string {
  const complaints = stderr.split('\n').flatMap((line) => complaintIn(line) ?? []);
  const { said } = complaints.find(({ level }) => level === 'emerg') ?? complaints[0] ?? { said: message };
  return said.replaceAll(/ in \S+:(\d+)$/g, '').replaceAll(candidate, 'the configuration');
}
