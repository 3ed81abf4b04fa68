/** `npm run demo`, the real command, and what somebody pastes into another terminal beside it. */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const ROOT = resolve(import.meta.dirname, '../../..');
const MESH = 'packages/cli/src/main.ts';
/** Those that happen to be free, in place of the usual ones. */
const FREE_PORTS = ['--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0'];

/** What the demo says of itself, of which this is what a newcomer needs. */
interface Told {
  readonly url: string;
  readonly panel_url: string;
  readonly setup_code: string;
}

export class StartedDemo implements AsyncDisposable {
  readonly told: Told;
  readonly #demo: ChildProcess;
  readonly #pasted: ChildProcess[] = [];

  private constructor(told: Told, demo: ChildProcess) {
    this.told = told;
    this.#demo = demo;
  }

  static async start({ usualPorts }: { readonly usualPorts: boolean }): Promise<StartedDemo> {
    const args = [MESH, '--json', 'demo', ...(usualPorts ? [] : FREE_PORTS)];
    const demo = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      return new StartedDemo(await firstAnswer(demo), demo);
    } catch (error) {
      await end(demo, () => demo.kill());
      throw error;
    }
  }

  /** A line for a shell, in another terminal, until the demo ends. */
  pastes(line: string): void {
    // In a group of its own, as a terminal does it, so that Ctrl-C is for all that the line has started.
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

/** It says where it is in one document, once everything is there, and goes on. */
async function firstAnswer(demo: ChildProcessByStdio<null, Readable, Readable>): Promise<Told> {
  const complaint = text(demo.stderr);
  let said = '';
  for await (const part of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += String(part);
    if (!said.endsWith('}\n')) continue;
    demo.stdout.resume();
    return JSON.parse(said) as Told;
  }
  throw new Error(`The demo did not start: ${await complaint}`);
}

async function end(child: ChildProcess, ask: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  ask();
  await ended;
}
