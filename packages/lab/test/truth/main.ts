/**
 * `npm run truth -- --minutes 45`: compares explain with real packets until the time is over, and writes what it found to
 * standard output, as Markdown. What happens meanwhile goes to standard error. Exits with 1 when explain has lied.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FAULT_NAMES, type FaultName } from './faults/index.ts';
import { report, words } from './report.ts';
import { runRounds } from './run-rounds.ts';

const QUESTIONS = '30,40,40,30';
const USAGE = `npm run truth -- [options]
  --minutes N        for how long; no round begins afterwards (10)
  --seed S           where all chance comes from (a random one)
  --round K          only this round
  --only A,B         only these faults: ${FAULT_NAMES.join(', ')}
  --faults N         how many in a round (4)
  --questions A,B,C,D  how many before the faults, while they begin, once they have settled, and while they are mended (${QUESTIONS})
`;

process.exitCode = await main();

async function main(): Promise<number> {
  const options = read();
  if (options === undefined) return 2;
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { seed, minutes, round } = options;
  process.stderr.write(`--seed ${seed}\n`);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const deadline = performance.now() + minutes * 60_000;
  let rounds = 0;
  const tally = await runRounds({
    plan: options,
    rounds: round === undefined ? upTo(deadline) : [round],
    signal: stop.signal,
    onRound: (number, faults, so_far) => {
      rounds += 1;
      process.stderr.write(`round ${number}: ${faults}: ${words(so_far)}\n`);
      for (const { round: at, text } of so_far.lies)
        if (at === number) process.stderr.write(`  ${text.split('\n')[0]}\n`);
    },
  });
  process.stdout.write(report(tally, { seed, rounds }));
  return tally.lies.length === 0 && !stop.signal.aborted ? 0 : 1;
}

function* upTo(deadline_ms: number): Generator<number> {
  for (let round = 0; performance.now() < deadline_ms; round++) yield round;
}

/** Undefined: they make no sense, and we have said so. */
function read() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string', default: `${randomInt(2 ** 32)}` },
        round: { type: 'string' },
        only: { type: 'string', default: FAULT_NAMES.join(',') },
        faults: { type: 'string', default: '4' },
        questions: { type: 'string', default: QUESTIONS },
        help: { type: 'boolean', default: false },
      },
    });
    const [before = 0, during = 0, settled = 0, mending = 0] = values.questions.split(',').map(number);
    return {
      help: values.help,
      minutes: number(values.minutes),
      seed: number(values.seed),
      round: values.round === undefined ? undefined : number(values.round),
      kinds: values.only.split(',').map(faultName),
      faults_a_round: number(values.faults),
      questions: { before, during, settled, mending },
    };
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    return undefined;
  }
}

function number(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  throw new Error(`"${text}" is not a number`);
}

function faultName(text: string): FaultName {
  const found = FAULT_NAMES.find((name) => name === text);
  if (found === undefined) throw new Error(`there is no fault "${text}"`);
  return found;
}
