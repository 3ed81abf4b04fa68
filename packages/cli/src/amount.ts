const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1000;

/** Of bytes, as people write it: `73.4 MB`. */
export function amount(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= STEP && unit < UNITS.length - 1) {
    value /= STEP;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}
