import { constants } from 'node:os';

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Ending = (typeof ENDING)[number];

/**
 * One Ctrl-C often arrives more than once: the terminal (or systemd) sends it to every process of the group, and npm and
 * our own starter, which are among them, pass it on. Within this time the same signal again is the same wish.
 */
const ECHO_MS = 250;

/** Why something was given up: the program was asked to end. */
export class Interrupted extends Error {
  /** What shells expect of a program that ended by a signal. */
  readonly exit_code: number;

  constructor(signal: Ending) {
    super(`ended by ${signal}`);
    this.name = 'Interrupted';
    this.exit_code = exitCodeOf(signal);
  }
}

interface Process {
  now(): number;
  exit(code: number): void;
}
const thisProcess: Process = { now: () => performance.now(), exit: (code) => process.exit(code) };

/** From now on the first ending signal aborts what this returns, and the second one ends the process at once. */
export function abortOnSignal({ now, exit }: Process = thisProcess): AbortSignal {
  const controller = new AbortController();
  let first: { readonly signal: Ending; readonly at_ms: number } | undefined;
  for (const signal of ENDING) {
    process.on(signal, () => {
      const at_ms = now();
      if (first === undefined) {
        first = { signal, at_ms };
        controller.abort(new Interrupted(signal));
      } else if (signal !== first.signal || at_ms - first.at_ms > ECHO_MS) {
        exit(exitCodeOf(signal));
      }
    });
  }
  return controller.signal;
}

function exitCodeOf(signal: Ending): number {
  return 128 + constants.signals[signal];
}
