import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { type RunOptions, runProgram } from '../network/run.ts';
import type { PlannedPlace } from '../plan/places.ts';

/** Somewhere in a lab, where programs run as root of that machine. */
export class Place {
  readonly name: string;
  readonly namespace: string;
  /** Folder that is laid over the one where WireGuard keeps its sockets. Null: there is no WireGuard here. */
  readonly #sockets: string | null;

  constructor({ name, namespace }: Pick<PlannedPlace, 'name' | 'namespace'>, sockets: string | null) {
    this.name = name;
    this.namespace = namespace;
    this.#sockets = sockets;
  }

  /** Runs a program to its end, and answers with its standard output. Rejects with `ProgramFailed`. */
  exec(command: string, args: readonly string[] = [], options: RunOptions = {}): Promise<string> {
    const [program, ...rest] = this.command([command, ...args]);
    return runProgram(program, rest, options);
  }

  spawn(command: string, args: readonly string[] = [], options: SpawnOptions = {}): ChildProcess {
    const [program, ...rest] = this.command([command, ...args]);
    return spawn(program, rest, options);
  }

  /**
   * What to run so that a command runs here. Each program on the way replaces itself by the next, so that the process that
   * is started is the command itself, for signals and for channels.
   */
  command(command: readonly string[]): [string, ...string[]] {
    const inside = this.#sockets === null ? command : ['sh', '-c', OVERLAID, 'sh', this.#sockets, SOCKETS, ...command];
    return ['ip', 'netns', 'exec', this.namespace, ...inside];
  }
}

/** Where wireguard-go and `wg` look, in whichever namespace. */
export const SOCKETS = '/var/run/wireguard';
/** `ip netns exec` has given the process file systems of its own: what is mounted now is invisible to others. */
const OVERLAID = 'mount --bind "$1" "$2" && shift 2 && exec "$@"';
