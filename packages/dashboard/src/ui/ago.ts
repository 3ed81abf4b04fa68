/** "4 min ago", kept true by one timer that all of them share. */

/** Below this, a second more or less does not matter. */
const JUST_NOW_S = 5;

const STEPS: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/** How long, in the largest unit that fits: `4 min`. */
export function span(seconds: number): string {
  const [unit, size] = STEPS.find(([, one]) => seconds >= one) ?? (['s', 1] as const);
  return `${Math.floor(seconds / size)} ${unit}`;
}

export function agoText(at: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(at)) / 1000;
  if (Math.abs(seconds) < JUST_NOW_S) return 'just now';
  return seconds > 0 ? `${span(seconds)} ago` : `in ${span(-seconds)}`;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = Date.now();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

export function subscribeToTime(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, 1_000);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** As of the last tick: the same answer for the whole of it. */
export function sharedNow(): number {
  return listeners.size === 0 ? Math.floor(Date.now() / 1000) * 1000 : now;
}
