/** What an event says beside its subject, in one line: `address 100.64.0.7/32, state active`. */
import type { EventRecord } from '@meshwork/contract';

/** These say who it is about, which stands before them already. */
const SAID = new Set(['name', 'node', 'node_name', 'kind']);

export function moreWords({ data }: EventRecord): string {
  return Object.entries(data)
    .filter(([name, value]) => !SAID.has(name) && value !== null && value !== '')
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${valueWords(value)}`)
    .join(', ');
}

export function valueWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueWords).join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
