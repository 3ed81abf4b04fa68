/** What the filters in the address bar ask of the coordinator. What it would refuse is left out. */
import type { RequestOf } from '@meshwork/client';
import type { CertificateProfile, CertificateState } from '@meshwork/contract';
import { CERTIFICATE_PROFILES, CERTIFICATE_STATES, idPattern, NODE_NAME_PATTERN } from '@meshwork/contract/vocabulary';

export const CERTIFICATE_FILTERS = ['q', 'state', 'expiring', 'profile', 'node', 'current'] as const;
export type CertificateFilter = (typeof CERTIFICATE_FILTERS)[number];
export type Filters = Readonly<Partial<Record<CertificateFilter, string>>>;

const DAY_S = 24 * 3600;
export const EXPIRING = [
  { value: '1d', label: 'Expires within 24 hours', seconds: DAY_S },
  { value: '7d', label: 'Expires within 7 days', seconds: 7 * DAY_S },
  { value: '30d', label: 'Expires within 30 days', seconds: 30 * DAY_S },
] as const;

type Asked = NonNullable<RequestOf<'ca.certificates'>['query']>;

export function askedFor({ q, state, expiring, profile, node, current }: Filters): Asked {
  return {
    q: q === undefined ? undefined : plainSerial(q),
    state: CERTIFICATE_STATES.find((one): one is CertificateState => one === state),
    profile: CERTIFICATE_PROFILES.find((one): one is CertificateProfile => one === profile),
    expires_within_s: EXPIRING.find(({ value }) => value === expiring)?.seconds,
    node: node !== undefined && isNodeRef(node) ? node : undefined,
    current: current === 'yes' ? true : undefined,
  };
}

/** Whether it can be the name or the id of a node. */
export function isNodeRef(text: string): boolean {
  return new RegExp(NODE_NAME_PATTERN).test(text) || new RegExp(idPattern('node')).test(text);
}

/** Serial numbers as programs print them: `3A:9D:0C…`, `serial=3A9D0C…`. Too many pairs for an IPv6 address. */
function plainSerial(text: string): string {
  const typed = text.trim().replace(/^serial=/i, '');
  return /^(?:[0-9a-f]{2}:){8,}[0-9a-f]{2}$/i.test(typed) ? typed.replaceAll(':', '') : typed;
}
