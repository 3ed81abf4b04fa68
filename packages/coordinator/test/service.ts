/** The coordinator as a process of its own, for what only happens to processes: being killed, and being logged. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { serviceProgram } from './service-program.ts';

export class Service {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #printed: () => string;

  private constructor(url: string, child: ChildProcess, printed: () => string) {
    this.url = url;
    this.#child = child;
    this.#printed = printed;
  }

  /** Everything it has written to its standard output and error. */
  get printed(): string {
    return this.#printed();
  }

  /** Resolves once it serves; rejects with what it printed when it ends before. */
  static async start(env: Readonly<Record<string, string>>): Promise<Service> {
    const child = spawn(process.execPath, [await serviceProgram()], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        printed += chunk;
      });
    }
    const url = await new Promise<string>((resolve, reject) => {
      child.once('message', (message) => resolve(message as string));
      child.once('exit', (code) => reject(new Error(`The coordinator ended with ${code}: ${printed}`)));
    });
    return new Service(url, child, () => printed);
  }

  /** Where it is inside the mesh. Null: not yet. */
  async innerUrl(): Promise<string | null> {
    const answered = once(this.#child, 'message');
    this.#child.send('inner_url');
    const [message] = (await answered) as [{ readonly inner_url: string | null }];
    return message.inner_url;
  }

  /** Whether ACME clients are tried, as Pebble does. */
  beHostile(isHostile: boolean): void {
    this.#child.send(isHostile ? 'hostile' : 'friendly');
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill(signal);
    await ended;
  }
}
