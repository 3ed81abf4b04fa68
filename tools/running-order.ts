/** In which order test files are run: those that wait beside those that compute, and none of the long ones last. */

/** Their files take minutes, and most of it they wait: for packets, for timers, for packages to be unpacked. */
const LONG = ['deploy/', 'packages/lab/'];
/** The part of a run in which those are started. */
const LONG_SHARE = 0.8;

/**
 * Spreads the files of each package over the whole run. Sorted by name they would stand together: three browsers at once compete
 * for two cores, and later three labs leave half a core idle.
 */
export function inRunningOrder(files: readonly string[]): readonly string[] {
  const packages = Map.groupBy(files, (file) => file.split('/').slice(0, 2).join('/'));
  const placed = packages
    .values()
    .flatMap((members) =>
      members.map((file, index) => ({ file, place: ((index + 0.5) / members.length) * shareOf(file) })),
    );
  return [...placed].sort((one, other) => one.place - other.place).map(({ file }) => file);
}

function shareOf(file: string): number {
  return LONG.some((folder) => file.startsWith(folder)) ? LONG_SHARE : 1;
}
