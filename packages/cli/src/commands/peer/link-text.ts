import type { Link, LinkView } from '@meshwork/contract';
import type { Output } from '../../output.ts';
import { fields, table } from '../../table.ts';

export function age(seconds: number | null | undefined): string {
  return seconds === null || seconds === undefined ? '-' : `${Math.round(seconds)} s ago`;
}

export function measured(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? '-' : `${value} ${unit}`;
}

export function linkText({ a, b, state, path, a_view, b_view }: Link, out: Output): string {
  const head = fields([
    ['link', `${a.name} (${a.state}) and ${b.name} (${b.state})`],
    ['state', state],
    ['path', path],
  ]);
  const headings = ['SEEN BY', 'PATH', 'HANDSHAKE', 'RTT', 'RECEIVED', 'SENT', 'ENDPOINT', 'AT'];
  const rows = [row(a.name, a_view), row(b.name, b_view)];
  return `${head}\n\n${table(headings, rows, (text) => out.strong(text))}`;
}

function row(name: string, view: LinkView | null): string[] {
  if (view === null) return [name, 'no report'];
  const { path, handshake_age_s, rtt_ms, rx_bytes, tx_bytes, endpoint, observed_at } = view;
  const sizes = [measured(rx_bytes, 'B'), measured(tx_bytes, 'B')];
  return [name, path, age(handshake_age_s), measured(rtt_ms, 'ms'), ...sizes, endpoint ?? '-', observed_at];
}
