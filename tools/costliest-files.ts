/** `npm test -- --costliest=10`: at the end of a run, the test files that took the most CPU time. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The variable that tells processes of test files where to note what they took. */
export const NOTES = 'MESH_TEST_CPU_NOTES';
/** What Linux counts for programs, on every machine. */
export const TICKS_PER_S = 100;

export interface Note {
  readonly file: string;
  readonly cpu_s: number;
}

/** Has the files of this run note what they take, and prints the costliest when the run ends. Returns the options for their processes. */
export function showCostliest(count: number): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'meshwork-cpu-'));
  const notes = join(folder, 'notes');
  process.env[NOTES] = notes;
  process.on('exit', () => {
    process.stdout.write(costliestLines(readNotes(notes), count));
    rmSync(folder, { recursive: true });
  });
  return [`--import=${join(import.meta.dirname, 'note-cpu-time.ts')}`];
}

function costliestLines(notes: readonly Note[], count: number): string {
  const all = notes.reduce((sum, { cpu_s }) => sum + cpu_s, 0);
  const costliest = notes.toSorted((one, other) => other.cpu_s - one.cpu_s).slice(0, count);
  const lines = costliest.map(
    ({ file, cpu_s }) => `${cpu_s.toFixed(1).padStart(8)} s  ${relative(process.cwd(), file)}\n`,
  );
  return `\nCPU time, ${all.toFixed(1)} s in all:\n${lines.join('')}`;
}

/** None when no file came to its end. */
function readNotes(notes: string): readonly Note[] {
  try {
    const lines = readFileSync(notes, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Note);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
