/** A network of our own for one test: a namespace with a name that nobody else has, and what runs in it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type RunCommand, runCommand } from '../src/host/run-command.ts';

export class ScratchNamespace implements AsyncDisposable {
  readonly name: string;
  readonly #children: ChildProcess[] = [];

  private constructor(name: string) {
    this.name = name;
  }

  static async make(): Promise<ScratchNamespace> {
    const space = new ScratchNamespace(`sn${process.pid}${randomBytes(3).toString('hex')}`);
    await runCommand('ip', ['netns', 'add', space.name]);
    await space.ip('link set lo up');
    return space;
  }

  /** As `runCommand`, inside. */
  readonly run: RunCommand = (command, args, options) =>
    runCommand('ip', ['netns', 'exec', this.name, command, ...args], options);

  /** Commands of `ip`, one after the other. */
  async ip(...commands: readonly string[]): Promise<void> {
    await runCommand('ip', ['-n', this.name, '-batch', '-'], { input: `${commands.join('\n')}\n` });
  }

  /** A program that runs until the namespace goes, or until it is ended with `stopChild`. */
  start(command: string, args: readonly string[]): ChildProcess {
    const child = spawn('ip', ['netns', 'exec', this.name, command, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#children.push(child);
    return child;
  }

  /** A program for node, as text. */
  startScript(script: string): ChildProcess {
    return this.start(process.execPath, ['--input-type=module', '-e', script]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#children.map(stopChild));
    await runCommand('ip', ['netns', 'delete', this.name]);
  }
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Two of them with a wire between: each end has its own name. */
export async function wire(
  a: ScratchNamespace,
  b: ScratchNamespace,
  [nameA, nameB]: readonly [string, string] = ['mesh0', 'mesh0'],
): Promise<void> {
  await a.ip(`link add ${nameA} type veth peer name ${nameB} netns ${b.name}`);
}
