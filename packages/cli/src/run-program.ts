import type { Command } from 'commander';
import { endQuietlyWithoutReader } from './output.ts';
import { reportFailure } from './report-failure.ts';

/** Runs the command line. A failure is reported once, on standard error, and by the exit code. */
export async function runProgram(mesh: Command): Promise<void> {
  endQuietlyWithoutReader();
  try {
    await mesh.parseAsync();
  } catch (error) {
    process.exit(reportFailure(error, { json: mesh.opts().json === true })); // at once: a service may have left something open
  }
}
