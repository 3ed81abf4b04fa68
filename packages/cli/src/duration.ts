const UNIT_MS = { w: 7 * 86_400_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };
const PATTERN = /^(?:(\d{1,6})w)?(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/;

/** `30d`, `12h`, `1h30m`; a bare `0` is none at all. Undefined: it is no duration. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const match = text === '' ? null : PATTERN.exec(text);
  if (match === null) return undefined;
  const units = Object.values(UNIT_MS);
  return match.slice(1).reduce((sum, count, index) => sum + Number(count ?? 0) * (units[index] ?? 0), 0);
}

const WORDS = [
  ['d', UNIT_MS.d],
  ['h', UNIT_MS.h],
  ['min', UNIT_MS.m],
  ['s', UNIT_MS.s],
] as const;

/** Roughly how far off, for people: `in 76 d`, `3 h ago`, `now`. */
export function fromNow(timestamp: string, nowMs: number): string {
  const ms = Date.parse(timestamp) - nowMs;
  const distance = Math.abs(ms);
  const [word, unit] = WORDS.find(([, unit]) => distance >= 2 * unit) ?? ['s', Number.POSITIVE_INFINITY];
  const count = `${Math.round(distance / unit)} ${word}`;
  if (count === '0 s') return 'now';
  return ms < 0 ? `${count} ago` : `in ${count}`;
}
