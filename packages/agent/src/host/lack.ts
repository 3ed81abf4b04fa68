import { CommandError, type RunCommand } from './run-command.ts';

/** Something that an agent needs and this machine does not have. */
export interface Lack {
  readonly what: string;
  readonly fix: string;
}

interface Program {
  readonly command: string;
  /** Has it say its version, which shows that it runs. */
  readonly version: string;
  /** Of Debian. */
  readonly package: string;
}

export async function missingProgram(run: RunCommand, program: Program): Promise<Lack | undefined> {
  try {
    await run(program.command, [program.version]);
    return undefined;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { what: error.message, fix: `apt-get install ${program.package}` };
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
