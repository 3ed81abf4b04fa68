/** Sizes as people type and read them: `50 MB` is 50,000,000 bytes, `50 MiB` is 52,428,800. */

const UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ['TiB', 2 ** 40],
  ['TB', 10 ** 12],
  ['GiB', 2 ** 30],
  ['GB', 10 ** 9],
  ['MiB', 2 ** 20],
  ['MB', 10 ** 6],
  ['KiB', 2 ** 10],
  ['kB', 10 ** 3],
];

/** In the largest unit that it fills without a rest, so that reading it back gives the same. */
export function sizeText(bytes: number): string {
  const unit = UNITS.find(([, each]) => bytes >= each && bytes % each === 0);
  if (unit === undefined) return `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
  return `${(bytes / unit[1]).toLocaleString('en')} ${unit[0]}`;
}

const TYPED = /^(\d[\d,]*(?:\.\d+)?)\s*(?:([kmgt]i?)?b?|bytes?)$/i;

/** Bytes, from what the command line takes too: `50 MB`, `50M`, `1.5 GiB`, `500`. Null: it is no size. */
export function readSize(text: string): number | null {
  const [, count, unit] = TYPED.exec(text.trim()) ?? [];
  if (count === undefined) return null;
  const wanted = `${unit}b`.toLowerCase();
  const each = unit === undefined ? 1 : UNITS.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const bytes = Math.round(Number(count.replaceAll(',', '')) * (each ?? Number.NaN));
  return Number.isSafeInteger(bytes) ? bytes : null;
}
