/** In which order test files are run: those that wait beside those that compute, and none of the long ones last. */
import { dirname } from 'node:path';

/**
 * Their files take minutes, and those of labs and machines wait for most of it: for packets, for timers, for packages to be
 * unpacked. With each, the part of a run in which its files are started.
 */
const LONG = [
  ['deploy/', 0.8],
  ['packages/lab/', 0.8],
  ['packages/dashboard/test/', 0.9],
] as const;

/**
 * Spreads the files of each folder of a package over the whole run. Sorted by name they would stand together: three browsers at
 * once compete for two cores, and later three labs leave half a core idle.
 */
export function inRunningOrder(files: readonly string[]): readonly string[] {
  const folders = Map.groupBy(files, (file) => dirname(file).split('/').slice(0, 3).join('/'));
  const placed = folders
    .values()
    .flatMap((members) =>
      members.map((file, index) => ({ file, place: ((index + 0.5) / members.length) * shareOf(file) })),
    );
  return [...placed].sort((one, other) => one.place - other.place).map(({ file }) => file);
}

function shareOf(file: string): number {
  return LONG.find(([folder]) => file.startsWith(folder))?.[1] ?? 1;
}
