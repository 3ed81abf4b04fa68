/** Runs test files again and again beside a busy loop, until one of them fails. */
import { startBusyLoop } from './busy-loop.ts';
import { runOnce, type TestRun } from './one-run.ts';

/** Returns the exit code: 0 when every file passed every time. */
export async function runSteadily(request: TestRun, times: number): Promise<number> {
  await using _busy = await startBusyLoop();
  for (let round = 1; round <= times; round++) {
    process.stdout.write(`round ${round} of ${times}\n`);
    const { code, interrupted, faults } = await runOnce(request);
    if (interrupted) return code;
    if (code === 0 && faults.length === 0) continue;
    process.stderr.write(`✖ not always green: round ${round} of ${times} failed\n`);
    return 1;
  }
  const files = request.files.length === 1 ? '1 file' : `${request.files.length} files`;
  process.stdout.write(`${files} green ${times} times beside a busy loop\n`);
  return 0;
}
