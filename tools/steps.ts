/** Runs commands side by side, all of them, whatever becomes of the others. */
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
}

interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly write: (text: string) => void;
}

/**
 * As many at a time as `width` says. One line a step, in their order; what a step printed is shown only when it failed. Returns
 * the names of the failed ones.
 */
export async function runSteps(
  steps: readonly Step[],
  surroundings: Surroundings,
  width: number,
): Promise<readonly string[]> {
  const waiting = steps.map((step) => ({ step, report: Promise.withResolvers<Report>() }));
  const queue = waiting.values();
  const lane = async () => {
    for (const { step, report } of queue) {
      const ended = await run(step, surroundings);
      report.resolve(ended);
    }
  };
  const lanes = Array.from({ length: width }, lane);

  const failed: string[] = [];
  for (const { step, report } of waiting) {
    const { ok, output, seconds } = await report.promise;
    surroundings.write(`${ok ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)\n`);
    if (ok) continue;
    failed.push(step.name);
    surroundings.write(indented(output));
  }
  await Promise.all(lanes);
  return failed;
}

interface Report {
  readonly ok: boolean;
  readonly output: string;
  readonly seconds: number;
}

function run({ command, args }: Step, { cwd, env }: Surroundings): Promise<Report> {
  const started = performance.now();
  return new Promise((resolve) => {
    const report = (ok: boolean, output: string) =>
      resolve({ ok, output, seconds: (performance.now() - started) / 1000 });
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => report(false, `${error.message}\nis everything installed? npm ci`));
    child.on('close', (code, signal) => {
      const end = signal === null ? '' : `\nended by ${signal}`;
      report(code === 0, Buffer.concat(chunks).toString() + end);
    });
  });
}

function indented(output: string): string {
  const lines = output.trimEnd().split('\n');
  return `${lines.map((line) => `     ${line}`.trimEnd()).join('\n')}\n`;
}
