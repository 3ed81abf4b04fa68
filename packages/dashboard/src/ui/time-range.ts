/**
 * Moments in the address bar are what the coordinator takes (`2026-11-15T09:30:00Z`); fields of a form show them where the
 * reader is, to the minute.
 */
import { utc } from '@meshwork/contract/vocabulary';

/** Undefined: there is none, or it is no moment. */
export function momentOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : utc(ms);
}

/** As `<input type="datetime-local">` takes it, where the reader is. */
export function localText(text: string | undefined): string {
  const moment = momentOf(text);
  if (moment === undefined) return '';
  const at = new Date(moment);
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${date}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** What such a field says. Null: it is empty, or not finished yet. */
export function fromLocalText(text: string): string | null {
  const ms = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(ms) ? null : utc(ms);
}

export const SPANS: readonly { readonly label: string; readonly seconds: number }[] = [
  { label: 'Last hour', seconds: 3600 },
  { label: 'Last day', seconds: 24 * 3600 },
  { label: 'Last week', seconds: 7 * 24 * 3600 },
  { label: 'Last 30 days', seconds: 30 * 24 * 3600 },
];

/** Since so long, to the minute: the same question within a minute is the same address. */
export function since(seconds: number, now_ms: number): string {
  return utc(Math.floor((now_ms - seconds * 1000) / 60_000) * 60_000);
}
