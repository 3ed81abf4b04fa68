import type { Command } from 'commander';
import { endQuietlyWithoutReader } from './output.ts';
import { reportFailure } from './report-failure.ts';

/** Does what the command line says. What went wrong is said once, on standard error, and by the exit code. */
export async function runProgram(mesh: Command): Promise<void> {
  endQuietlyWithoutReader();
  try {
    await mesh.parseAsync();
  } catch (error) {
    process.exit(reportFailure(error, { json: mesh.opts().json === true })); // at once: a service may have left something open
  }
}
