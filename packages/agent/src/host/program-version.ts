import { CommandError, type RunCommand } from './run-command.ts';

/** The contract's limit. */
const MAX_VERSION_LENGTH = 100;
const UNKNOWN = 'of no known version';

/** What a program says on its first line. One that is not there is found out by the engine that needs it, and named. */
export async function versionOf(run: RunCommand, command: string, args: readonly string[]): Promise<string> {
  try {
    const [first = ''] = (await run(command, args)).trim().split('\n', 1);
    return shortVersion(first === '' ? UNKNOWN : first);
  } catch (error) {
    if (error instanceof CommandError) return UNKNOWN;
    throw error;
  }
}

export function shortVersion(text: string): string {
  return text.slice(0, MAX_VERSION_LENGTH);
}
