/** `npm run demo`, the real command, and the commands that a newcomer pastes into another terminal. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const ROOT = resolve(import.meta.dirname, '../../..');
const MESH = 'packages/cli/src/main.ts';
/** Any free ports, in place of the default ones. */
const FREE_PORTS = ['--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0'];

/** The part of the demo's first output that a newcomer needs. */
interface Printed {
  readonly url: string;
  readonly panel_url: string;
  readonly setup_code: string;
}

export class StartedDemo implements AsyncDisposable {
  readonly printed: Printed;
  readonly #demo: ChildProcess;
  readonly #pasted: ChildProcess[] = [];

  private constructor(printed: Printed, demo: ChildProcess) {
    this.printed = printed;
    this.#demo = demo;
  }

  static async start({ usualPorts }: { readonly usualPorts: boolean }): Promise<StartedDemo> {
    const args = [MESH, '--json', 'demo', ...(usualPorts ? [] : FREE_PORTS)];
    const demo = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      return new StartedDemo(await firstOutput(demo), demo);
    } catch (error) {
      await end(demo, () => demo.kill());
      throw error;
    }
  }

  /** Runs a shell line in another terminal, until the demo ends. */
  pastes(line: string): void {
    // In a process group of its own, as in a terminal, so that Ctrl-C reaches every process of the line.
    this.#pasted.push(spawn('sh', ['-c', line], { cwd: ROOT, detached: true, stdio: 'ignore' }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#pasted) {
      const { pid } = child;
      if (pid !== undefined) await end(child, () => process.kill(-pid, 'SIGINT'));
    }
    await end(this.#demo, () => this.#demo.kill());
  }
}

/** The demo prints one JSON document when it is ready, and keeps running. */
async function firstOutput(demo: ChildProcessByStdio<null, Readable, Readable>): Promise<Printed> {
  const complaint = text(demo.stderr);
  let output = '';
  for await (const part of demo.stdout.iterator({ destroyOnReturn: false })) {
    output += String(part);
    if (!output.endsWith('}\n')) continue;
    demo.stdout.resume();
    return JSON.parse(output) as Printed;
  }
  throw new Error(`The demo did not start: ${await complaint}`);
}

async function end(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  ask();
  await ended;
}
