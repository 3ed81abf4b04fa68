import { once } from 'node:events';
import type { Command } from 'commander';
import { type Environment, type GlobalFlags, readEnvironment } from './config.ts';
import { Failure, reasonOf } from './failure.ts';
import { flagsOver } from './service-flags.ts';
import { abortOnSignal } from './signals.ts';

/** What a start does to let a locked-out owner back in. */
interface Recovery {
  readonly recover: boolean;
  /** Who is to be an owner of the panel. */
  readonly recover_owner?: string;
}

interface Served {
  /** Resolves with the reason if the service breaks down. Absent: it never does. */
  readonly failure?: Promise<unknown>;
  close(): Promise<void>;
}

/** What runs until a signal ends it. Commands hand it in, so that they alone know the package behind it. */
interface Service<Config, Running extends Served> {
  readConfig(environment: Environment): Config;
  start(config: Config, options: Recovery): Promise<Running>;
  /** Called once it serves. What takes longer watches `ending`; if it fails, the service ends with that. */
  started?(running: Running, config: Config, ending: AbortSignal): Promise<void> | void;
}

/**
 * Starts a service in this process and ends with it: 0 after a signal, whatever went wrong before otherwise. A service
 * that breaks down ends the process with 1, for a supervisor to start it again.
 */
export async function serve<Config, Running extends Served>(
  command: Command,
  service: Service<Config, Running>,
): Promise<void> {
  const flags = command.optsWithGlobals<GlobalFlags & { readonly recover?: boolean; readonly recoverOwner?: string }>();
  const environment = flagsOver(await readEnvironment(flags), command);
  const config = validConfig(() => service.readConfig(environment));
  const ending = abortOnSignal(); // from before the start, so that a signal during it is not lost
  const { recover = false, recoverOwner: recover_owner } = flags;
  const recovery = { recover, ...(recover_owner === undefined ? {} : { recover_owner }) };
  const running = await service.start(config, recovery).catch((error: unknown) => {
    throw startFailure(error);
  });
  try {
    const served = async () => {
      if (!ending.aborted) await service.started?.(running, config, ending);
      if (!ending.aborted) await once(ending, 'abort');
    };
    await Promise.race([served(), breakdown(running)]);
  } finally {
    await closed(running);
  }
  process.exit(0); // whatever idle connections or timers are left
}

/** Rejects if the service breaks down, and never resolves. */
function breakdown({ failure }: Served): Promise<never> {
  return new Promise((_resolve, reject) => {
    void failure?.then((error) => {
      const text = `failed and has to be restarted: ${reasonOf(error)}`;
      reject(new Failure(text, { exit: 'failed', code: 'broke_down', cause: error }));
    });
  });
}

async function closed(running: { close(): Promise<void> }): Promise<void> {
  await running.close().catch((error: unknown) => {
    throw new Failure(`ended, but not cleanly: ${reasonOf(error)}`, {
      exit: 'failed',
      code: 'close_failed',
      cause: error,
    });
  });
}

/** A service's configuration error lists every problem; so do we. */
function validConfig<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || !('problems' in error) || !Array.isArray(error.problems)) throw error;
    const problems = error.problems as readonly { readonly variable: string; readonly problem: string }[];
    throw new Failure('the configuration is not valid', {
      exit: 'usage',
      code: 'configuration',
      errors: problems.map(({ variable, problem }) => ({ pointer: variable, detail: problem })),
      cause: error,
    });
  }
}

function startFailure(error: unknown): Failure {
  const { code, message, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const where = `${address}:${port}`;
  const known: Readonly<Record<string, string>> = {
    EADDRINUSE: `${where} is taken: another program listens there. Stop that, or choose another address`,
    EADDRNOTAVAIL: `${where} is not an address of this machine`,
  };
  const text = (code === undefined ? undefined : known[code]) ?? message.split('\n')[0];
  return new Failure(`cannot start: ${text}`, { exit: 'failed', code: 'start_failed', cause: error });
}
