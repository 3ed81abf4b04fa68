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

const WRITTEN = /^(\d{1,16}(?:\.\d{1,3})?) ?(?:([kmgt])(i?))?b?$/i;

/** `500`, `50MB`, `1.5 GiB`. Undefined: it is no amount of bytes. */
export function parseAmount(text: string): number | undefined {
  const [, count, letter = '', binary = ''] = WRITTEN.exec(text) ?? [];
  if (count === undefined) return undefined;
  const power = letter === '' ? 0 : 'kmgt'.indexOf(letter.toLowerCase()) + 1;
  const bytes = Math.round(Number(count) * (binary === '' ? STEP : 1024) ** power);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
