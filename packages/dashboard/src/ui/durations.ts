/** Seconds as people read them: in the largest unit that they fill. */
const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

export function durationText(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 's'];
  return `${(seconds / size).toLocaleString('en')} ${unit}`;
}
