/**
 * One run of test files under node's test runner, which answers for the run as a whole: it ends, it ran, it left nothing
 * behind. `test-run.ts` judges it, and has files that failed run again.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { availableParallelism, constants, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  areGone,
  endProcesses,
  type Process,
  processesOf,
  RUN_MARK,
  type Run,
  signal,
  withDescendants,
} from './run-processes.ts';
import { inRunningOrder } from './running-order.ts';
import { readTally, type TallyLine } from './tally-reporter.ts';

export interface TestRun {
  readonly root: string;
  /** From the root. */
  readonly files: readonly string[];
  /** Passed on to node. */
  readonly options: readonly string[];
  readonly reporter: 'spec' | 'compact';
  /** How long one test may take. Node ends the test but not its file. */
  readonly testTimeoutMs: number;
  /** How long any process of the run may live, a test file or what it started. We end those that outlive it. */
  readonly processTimeoutMs: number;
  /** How long a process may take that is just ending when the run does. Others have been left behind. */
  readonly settleMs: number;
}

/** Ours: a few times what the slowest test needs on two cores. They are there for the ones that hang. */
export const LIMITS = { testTimeoutMs: 300_000, processTimeoutMs: 600_000, settleMs: 10_000 } as const;

/** Where Node keeps what it compiled: the tests start hundreds of processes that load the same files. */
const COMPILED = 'node_modules/.cache/meshwork-test';
/** After an interruption the tests have this long to clean up. */
const INTERRUPTED_MS = 5_000;

export interface RunOutcome {
  /** Of node's test runner, or of the signal that interrupted the run. */
  readonly code: number;
  readonly interrupted: boolean;
  /** The files that failed, with their failures in full, in order of their paths. */
  readonly failed: ReadonlyMap<string, string>;
  /** What went wrong beyond the tests themselves. */
  readonly faults: readonly string[];
}

/** What the tests print goes to standard output as it comes, faults to standard error. */
export async function runOnce(request: TestRun): Promise<RunOutcome> {
  if (!existsSync('/proc/self/stat'))
    throw new Error('the tests run on Linux: what they leave behind is found in /proc');
  await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-test-'));
  const tally = join(folder.path, 'tally');
  const mark = randomUUID();
  const runner = spawn(process.execPath, nodeArguments(request, tally), {
    cwd: request.root,
    env: {
      ...process.env,
      [RUN_MARK]: mark,
      NODE_TEST_CONTEXT: undefined,
      NODE_COMPILE_CACHE: join(request.root, COMPILED),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // With setsid: its descendants keep its sid unless they leave it on purpose.
    detached: true,
  });
  const run: Run = { mark, leader: runner.pid ?? Number.NaN };

  using overdue = watchOverdue(run, request.processTimeoutMs);
  using interruption = forwardSignals(run);
  const code = await exitOf(runner);
  const survivors = await endSurvivors(run, request.settleMs);
  const lines = readTally(await readFile(tally, 'utf8'));
  const failed = failedFiles(request.root, lines);
  // A process that was ended for taking too long fails its file, and that says enough; unless it failed none.
  const overdueFaults = overdue.ended.map((command) => `ended after ${request.processTimeoutMs / 1000} s: ${command}`);
  const faults = [...overdueFaults, ...survivors, ...(code === 0 ? incompleteFiles(request, lines) : [])];
  for (const fault of faults) process.stderr.write(`✖ ${fault}\n`);

  const { signal: by } = interruption;
  if (by !== undefined) return { code: 128 + constants.signals[by], interrupted: true, failed, faults };
  const excused = failed.size > 0 ? overdueFaults : [];
  return { code, interrupted: false, failed, faults: faults.filter((fault) => !excused.includes(fault)) };
}

function failedFiles(root: string, lines: readonly TallyLine[]): ReadonlyMap<string, string> {
  const failed = lines.filter((line) => 'failure' in line);
  const byFile = failed.map(({ file, failure }) => [relative(root, file), failure] as const);
  return new Map(byFile.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function nodeArguments({ files, options, reporter, testTimeoutMs }: TestRun, tally: string): readonly string[] {
  const chosen = options.some((option) => option.startsWith('--test-reporter'));
  const shown = reporter === 'spec' ? 'spec' : join(import.meta.dirname, 'compact-reporter.ts');
  return [
    join(import.meta.dirname, 'run-files.ts'),
    `--test-concurrency=${concurrency()}`,
    `--test-timeout=${testTimeoutMs}`,
    ...(chosen ? [] : [`--test-reporter=${shown}`]),
    ...(options.some((option) => option.startsWith('--test-reporter-destination'))
      ? []
      : ['--test-reporter-destination=stdout']),
    ...options,
    `--test-reporter=${join(import.meta.dirname, 'tally-reporter.ts')}`,
    `--test-reporter-destination=${tally}`,
    ...inRunningOrder(files),
  ];
}

/** One more than there are cores: some tests wait for most of their time. Each may bring a database, so four at most. */
function concurrency(): number {
  return Math.min(availableParallelism() + 1, 4);
}

function exitOf(runner: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    runner.on('error', reject);
    runner.on('exit', (code, by) => resolve(code ?? 128 + constants.signals[by ?? 'SIGKILL']));
  });
}

/** The runner waits for a file until every process that holds its output has ended. So a process that stays too long is killed. */
function watchOverdue(run: Run, timeoutMs: number): Disposable & { readonly ended: readonly string[] } {
  const firstSeen = new Map<string, number>();
  const ended: string[] = [];
  const look = () => {
    const now = performance.now();
    const all = processesOf(run).filter(({ pid }) => pid !== run.leader);
    const overdue = all.filter((process) => {
      const key = `${process.pid} ${process.born}`;
      const since = firstSeen.get(key) ?? now;
      firstSeen.set(key, since);
      return now - since > timeoutMs;
    });
    const doomed = withDescendants(all, overdue);
    signal(doomed, 'SIGKILL');
    ended.push(...doomed.map(described));
  };
  const timer = setInterval(look, Math.min(1_000, timeoutMs / 4));
  return { ended, [Symbol.dispose]: () => clearInterval(timer) };
}

/** The run has left our terminal with setsid, so Ctrl-C reaches only us. */
function forwardSignals(run: Run): Disposable & { readonly signal: NodeJS.Signals | undefined } {
  const state: { signal: NodeJS.Signals | undefined } = { signal: undefined };
  let deadline: NodeJS.Timeout | undefined;
  const forward = (name: NodeJS.Signals) => {
    state.signal = name;
    signal(processesOf(run), name);
    deadline ??= setTimeout(() => signal(processesOf(run), 'SIGKILL'), INTERRUPTED_MS);
  };
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, forward);
  return {
    get signal() {
      return state.signal;
    },
    [Symbol.dispose]: () => {
      clearTimeout(deadline);
      for (const name of names) process.off(name, forward);
    },
  };
}

async function endSurvivors(run: Run, settleMs: number): Promise<readonly string[]> {
  const find = () => processesOf(run);
  if (await areGone(find, settleMs)) return [];
  const survivors = find();
  await endProcesses(find);
  const left = new Set(find().map(({ pid }) => pid));
  return survivors.map((process) => {
    const outcome = left.has(process.pid) ? 'and cannot be ended' : 'now ended';
    return `left running by a test, ${outcome}: ${described(process)}`;
  });
}

function incompleteFiles({ root, files, options }: TestRun, lines: readonly TallyLine[]): readonly string[] {
  const ended = lines.filter((line) => 'tests' in line);
  const tally = new Map(ended.map(({ file, tests }) => [relative(root, file), tests]));
  const total = tally.values().reduce((sum, tests) => sum + tests, 0);
  const silent = files.filter((file) => !tally.has(file));
  const filtered = options.some((option) => /^--test-(name|skip)-pattern|^--test-only|^--test-shard/.test(option));
  const empty = filtered ? [] : files.filter((file) => tally.get(file) === 0);
  const faults = [...silent, ...empty].map((file) => `${file} has no tests, or left before they had ended`);
  return faults.length === 0 && total === 0 ? ['no test was run'] : faults;
}

function described({ pid, command }: Process): string {
  return `${command} (pid ${pid})`;
}
