/** Runs commands one after another, all of them, whatever becomes of the ones before. */
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

/** One line a step; what a step printed is shown only when it failed. Returns the names of the failed ones. */
export async function runSteps(steps: readonly Step[], surroundings: Surroundings): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const step of steps) {
    const started = performance.now();
    const { ok, output } = await run(step, surroundings);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    surroundings.write(`${ok ? 'ok  ' : 'FAIL'} ${step.name} (${seconds} s)\n`);
    if (ok) continue;
    failed.push(step.name);
    surroundings.write(indented(output));
  }
  return failed;
}

function run({ command, args }: Step, { cwd, env }: Surroundings): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', (error) => resolve({ ok: false, output: `${error.message}\nis everything installed? npm ci` }));
    child.on('close', (code, signal) => {
      const end = signal === null ? '' : `\nended by ${signal}`;
      resolve({ ok: code === 0, output: Buffer.concat(chunks).toString() + end });
    });
  });
}

function indented(output: string): string {
  const lines = output.trimEnd().split('\n');
  return `${lines.map((line) => `     ${line}`.trimEnd()).join('\n')}\n`;
}
