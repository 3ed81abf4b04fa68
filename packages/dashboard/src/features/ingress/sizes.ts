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

/** Bytes. Null: it is no size. */
export function readSize(text: string): number | null {
  const [, count, name = ''] = /^(\d[\d,]*(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim()) ?? [];
  if (count === undefined) return null;
  const wanted = name.toLowerCase();
  const each = ['', 'b', 'byte', 'bytes'].includes(wanted)
    ? 1
    : UNITS.find(([unit]) => unit.toLowerCase() === wanted)?.[1];
  if (each === undefined) return null;
  const bytes = Number(count.replaceAll(',', '')) * each;
  return Number.isSafeInteger(Math.round(bytes)) ? Math.round(bytes) : null;
}
