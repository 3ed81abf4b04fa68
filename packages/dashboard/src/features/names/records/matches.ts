/** Which records a person looks for. There are a thousand at most, so the page has them all. */
import type { DnsRecord } from '@meshwork/contract';

export const RECORD_KINDS = ['addresses', 'alias', 'wildcard'] as const;
type Kind = (typeof RECORD_KINDS)[number];

export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  addresses: 'Addresses (A, AAAA)',
  alias: 'Aliases (CNAME)',
  wildcard: 'Wildcards',
};

export function matches(record: DnsRecord, q: string, kind: string | undefined): boolean {
  const { fqdn, addresses, cname, note } = record;
  if (kind === 'alias' && cname === null) return false;
  if (kind === 'addresses' && cname !== null) return false;
  if (kind === 'wildcard' && !fqdn.startsWith('*.')) return false;
  const part = q.trim().toLowerCase();
  return [fqdn, cname ?? '', note ?? '', ...addresses].some((text) => text.toLowerCase().includes(part));
}
