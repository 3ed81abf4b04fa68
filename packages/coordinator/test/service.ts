/** The coordinator as a process of its own, for what only happens to processes: being killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const ENTRY = new URL('./service-main.ts', import.meta.url).pathname;

export class Service {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** Resolves once it serves; rejects with what it printed when it ends before. */
  static async start(env: Readonly<Record<string, string>>): Promise<Service> {
    const child = spawn(process.execPath, [ENTRY], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stderr?.on('data', (chunk) => {
      printed += chunk;
    });
    const url = await new Promise<string>((resolve, reject) => {
      let line = '';
      child.stdout?.on('data', (chunk) => {
        line += chunk;
        if (line.includes('\n')) resolve(line.slice(0, line.indexOf('\n')));
      });
      child.once('exit', (code) => reject(new Error(`The coordinator ended with ${code}: ${printed}`)));
    });
    return new Service(url, child);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }
}
