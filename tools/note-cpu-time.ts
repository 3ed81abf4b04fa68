/**
 * Loaded into the process of each test file when a run is asked for its costliest: when it ends, it notes what CPU time it took, and
 * all processes took that it started and waited for. What outlives it is not in the figure, nor is what nothing waited for.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { NOTES, type Note, TICKS_PER_S } from './costliest-files.ts';

const { [NOTES]: notes } = process.env;
const [, file] = process.argv;
// Threads get the options of their process too.
if (isMainThread && notes !== undefined && file !== undefined) {
  process.on('exit', () => {
    const note: Note = { file, cpu_s: ownSeconds() + secondsOfChildren() };
    appendFileSync(notes, `${JSON.stringify(note)}\n`);
  });
}

function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** `cutime` and `cstime` of proc_pid_stat(5), counted after the name, which may hold spaces. */
function secondsOfChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
}
