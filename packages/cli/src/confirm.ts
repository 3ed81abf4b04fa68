/** Asks before something goes that cannot be brought back. */
import type { Command } from 'commander';
import { type Ask, ask } from './ask.ts';
import { Failure } from './failure.ts';

interface YesFlag {
  readonly yes?: boolean;
}

export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation; required without a terminal');
}

interface Terminal {
  readonly isTerminal: boolean;
  readonly ask: Ask;
}

/** `describe` says what is lost, and is called only when a person reads it. Returns once the person agreed. */
export async function confirmRemoval(
  { yes = false }: YesFlag,
  what: string,
  describe: () => Promise<string> | string,
  terminal: Terminal = { isTerminal: process.stdin.isTTY === true, ask },
): Promise<void> {
  if (yes) return;
  if (!terminal.isTerminal) {
    throw new Failure(`${what} cannot be undone, and there is no terminal to confirm it on`, {
      exit: 'usage',
      code: 'not_confirmed',
      hint: 'add --yes to confirm',
    });
  }
  const answer = await terminal.ask(`${await describe()}\nThis cannot be undone. Continue? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new Failure('nothing was changed', { exit: 'failed', code: 'not_confirmed' });
}
