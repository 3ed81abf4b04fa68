import { LastingProcess } from '../../host/lasting-process.ts';
import type { RunCommand } from '../../host/run-command.ts';
import type { RelayFolder } from './relay-folder.ts';
import { RELAY_FILES } from './turn-config.ts';
import type { TurnLog } from './turn-log.ts';

interface TurnProcessOptions {
  readonly folder: RelayFolder;
  readonly log: TurnLog;
  /** It ended without being asked to. */
  readonly lost: () => void;
  readonly run?: RunCommand | undefined;
}

const COMMAND = 'turnserver';

/** The coturn process with our configuration. The next agent takes it over with all its allocations. */
export class TurnProcess {
  readonly #process: LastingProcess;

  constructor({ folder, log, lost, run }: TurnProcessOptions) {
    const args = ['-c', folder.file(RELAY_FILES.config)];
    this.#process = new LastingProcess({
      program: 'coturn',
      command: COMMAND,
      args,
      isIt: ({ argv: [command = '', ...given] }) => command.endsWith(COMMAND) && given.join('\0') === args.join('\0'),
      log: folder.file(RELAY_FILES.log),
      reader: log,
      lost,
      run,
    });
  }

  /** Undefined: it does not run. */
  pid(): Promise<number | undefined> {
    return this.#process.pid();
  }

  /** Takes over one that an agent before this one started. False: there is none. */
  adopt(): Promise<boolean> {
    return this.#process.adopt();
  }

  /** None may run. */
  async start(): Promise<void> {
    await this.#process.start();
  }

  /** Reads its certificate again. */
  async reload(): Promise<void> {
    await this.#process.signal('SIGUSR2');
  }

  /** It ends within moments, and when it does not it is ended by force. */
  async end(): Promise<void> {
    await this.#process.end(['SIGTERM', 'SIGKILL']);
  }
}
