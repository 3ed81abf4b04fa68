import { open, readFile, writeFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { LabError } from '../lab-error.ts';
import { endProcess, isAlive, type ProcessId, processId } from '../life/living-process.ts';
import { SYSTEM_PATH } from '../network/run.ts';
import type { Place } from './place.ts';

interface AgentFacts {
  readonly place: Place;
  /** What the lab keeps for the node: its state, its log. */
  readonly folder: string;
  /** How to run `mesh`: Node, and the file. */
  readonly program: readonly string[];
}

/** Ours: an agent that is asked to end takes its interface down first. */
const ENDS_WITHIN_MS = 30_000;
const LOG = 'agent.log';
const RUNNING = 'agent.json';

/** What a node that runs a relay needs besides, as the service unit has it in `relay.conf`. */
export const RELAY_CAPABILITIES = ['setuid', 'setgid', 'kill', 'chown'];
/** And one that is a gateway, in `gateway.conf`. */
export const GATEWAY_CAPABILITIES = ['setuid', 'setgid', 'kill', 'chown'];

/**
 * The agent of a node, as its service unit runs it: root without any of root's privileges, except for those over its own
 * network and its low ports. It is detached: it outlives the process that started it, and any other can stop it.
 */
export class AgentProcess {
  readonly #facts: AgentFacts;

  constructor(facts: AgentFacts) {
    this.#facts = facts;
  }

  /** `settings`: variables beside those that every agent of a lab has. `capabilities`: those beside that over its network. */
  async start(settings: Readonly<Record<string, string>> = {}, capabilities: readonly string[] = []): Promise<void> {
    const { place, folder, program } = this.#facts;
    if (await this.isRunning()) throw new LabError('conflict', `the agent of ${place.name} runs already`);
    await using log = await open(join(folder, LOG), 'a', 0o600);
    const child = place.spawn(
      'setpriv',
      [...only(['net_admin', 'net_bind_service', ...capabilities]), ...program, 'agent', 'run'],
      {
        cwd: '/',
        env: { ...agentEnvironment(folder), ...settings },
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
      },
    );
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once('spawn', resolve).once('error', reject);
    await promise;
    child.unref();
    const id = await processId(child.pid ?? 0);
    if (id !== undefined) await writeFile(join(folder, RUNNING), JSON.stringify(id), { mode: 0o600 });
  }

  /** Resolves when it is gone. It may have ended before. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const id = await this.#lastStarted();
    if (id === undefined || (await endProcess(id, signal, ENDS_WITHIN_MS))) return;
    throw new LabError('failed', `the agent of ${this.#facts.place.name} does not end on ${signal}`);
  }

  async isRunning(): Promise<boolean> {
    const id = await this.#lastStarted();
    return id !== undefined && (await isAlive(id));
  }

  /** All that it has written, over all its lives. */
  async logs(): Promise<string> {
    return (await readIfThere(join(this.#facts.folder, LOG))) ?? '';
  }

  async #lastStarted(): Promise<ProcessId | undefined> {
    const text = await readIfThere(join(this.#facts.folder, RUNNING));
    return text === undefined ? undefined : (JSON.parse(text) as ProcessId);
  }
}

/** Arguments of `setpriv`. */
function only(capabilities: readonly string[]): readonly string[] {
  const kept = capabilities.map((name) => `,+${name}`).join('');
  return [`--bounding-set=-all${kept}`, `--inh-caps=-all${kept}`, '--ambient-caps=-all', '--no-new-privs', '--'];
}

/** The whole environment of a node: nothing from the lab's operator but where compiled code is kept, least of all a token. */
export function agentEnvironment(folder: string): Record<string, string> {
  return {
    PATH: SYSTEM_PATH,
    HOME: '/root',
    MESH_STATE_DIR: join(folder, 'state'),
    MESH_NAMES: 'hosts', // programs of a lab take any port, 53 too
    // Many agents start at once, and compiling is most of what that costs: the first does it for all. Where the lab's own
    // process has such a place, it also does it for the next lab.
    NODE_COMPILE_CACHE: getCompileCacheDir() ?? join(folder, '..', '..', 'compiled'),
  };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
