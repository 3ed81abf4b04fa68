/** How much comes to an ingress, in words and steps of a chart. */
import type { IngressTraffic } from '@meshwork/contract';

export type Point = IngressTraffic['points'][number];

/** `12.4/s`. What is less than one in a hundred seconds, and still something, is said so. */
export function rateText(per_s: number): string {
  if (per_s > 0 && per_s < 0.01) return '<0.01/s';
  const digits = per_s >= 100 ? 0 : per_s >= 10 ? 1 : 2;
  return `${per_s.toLocaleString('en', { maximumFractionDigits: digits })}/s`;
}

/** A part of a whole in percent. Null: there is no whole. */
export function shareText(part: number, whole: number): string | null {
  if (whole <= 0) return null;
  const percent = (part / whole) * 100;
  if (percent > 0 && percent < 0.01) return '<0.01%';
  return `${percent.toLocaleString('en', { maximumFractionDigits: percent < 1 ? 2 : 1 })}%`;
}

/** Several points in one, so that an hour has room on a telephone. Steps begin with whole ones, as clocks have them. */
export function widerSteps(points: readonly Point[], step_ms: number) {
  const steps: { at: string; counts: number[] }[] = [];
  for (const { at, classes } of points) {
    const begins = new Date(Math.floor(Date.parse(at) / step_ms) * step_ms).toISOString();
    const counts = [classes['5xx'], classes['4xx'], classes['1xx'] + classes['3xx'] + classes.other, classes['2xx']];
    const last = steps.at(-1);
    if (last?.at === begins) last.counts = last.counts.map((count, index) => count + (counts[index] ?? 0));
    else steps.push({ at: begins, counts });
  }
  return steps;
}

/** Of the last minute that is whole. */
export function recentRate(points: readonly Point[], step_s: number): number {
  const whole = points.slice(0, -1).slice(-Math.ceil(60 / step_s));
  return whole.length === 0 ? 0 : whole.reduce((sum, { requests }) => sum + requests, 0) / (whole.length * step_s);
}
