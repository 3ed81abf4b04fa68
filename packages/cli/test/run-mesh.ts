import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFor } from './short-program.ts';

export const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
export const STARTER = fileURLToPath(new URL('../bin/mesh.js', import.meta.url));

/** Compiling is most of what a short run costs, so Node keeps what it compiled where tools keep such things. */
export const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/mesh-cli-test', import.meta.url));
/** A folder without a `data` folder: what a developer has lying around must not reach the tests either. */
const NOWHERE = fileURLToPath(new URL('.', import.meta.url));

/** Long enough for any run here on a slow machine; a run that takes longer hangs, and is ended. */
const HANGS_AFTER_MS = 120_000;
/** The same for a run that others talk to as long as a suite takes. */
export const SUITE_MS = 5 * 60_000;

interface RunOptions {
  /** All the environment there is, besides the path: what the machine has set must not reach the tests. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What comes in on standard input. Absent: there is none. */
  readonly input?: string;
  /** Node and what it runs; by default this Node and `main.ts`. */
  readonly program?: readonly [node: string, ...args: string[]];
  /** Absent: two minutes. */
  readonly hangs_after_ms?: number;
  /** Gives the run a process group of its own, which is ended whole: for a program that starts another. */
  readonly group?: boolean;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run of the real program. Disposing of it ends it, whatever state it is in. */
export class Run implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly #group: boolean;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], options: RunOptions = {}) {
    this.#group = options.group === true;
    const [node, ...before] = options.program ?? [process.execPath, MAIN];
    this.child = spawn(node, [...before, ...args], {
      cwd: options.cwd ?? NOWHERE,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: this.#group,
    });
    this.child.stdin?.end(options.input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    const hangs = setTimeout(() => this.#kill(), options.hangs_after_ms ?? HANGS_AFTER_MS);
    this.ended = once(this.child, 'close').then(([code, signal]) => {
      clearTimeout(hangs);
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** Waits until the run has said something that matches; fails when it ends without. */
  async said(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream]);
      if (match !== null) return match;
      const more = once(this.child[stream] as NodeJS.ReadableStream, 'data').then(() => undefined);
      const ended = await Promise.race([more, this.ended]);
      const last = pattern.exec(this[stream]);
      if (last !== null) return last;
      if (ended !== undefined) throw new Error(`mesh ended without saying ${pattern}: ${JSON.stringify(ended)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#kill();
    await this.ended;
  }

  #kill(): void {
    const { pid } = this.child;
    if (!this.#group || pid === undefined) this.child.kill('SIGKILL');
    else if (this.child.exitCode === null && this.child.signalCode === null) process.kill(-pid, 'SIGKILL');
  }
}

/** Runs the program to its end. */
export async function mesh(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const program = options.program ?? ([process.execPath, await programFor(args)] as const);
  await using run = new Run(args, { ...options, program });
  return await run.ended;
}

export interface TempFolder extends AsyncDisposable {
  readonly path: string;
}

export async function tempFolder(): Promise<TempFolder> {
  const path = await mkdtemp(join(tmpdir(), 'mesh-cli-test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
