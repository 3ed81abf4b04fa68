import type { Vocabulary } from '../../vocabulary-type.ts';

/** Of every answer. Short, so that a change is seen at once; the server is on the same host, so that asking again is cheap. */
export const DNS_TTL_S = 5;
/** Names below it are those of services: `git.svc.mesh`. */
export const SERVICE_DOMAIN = 'svc';
/** Every node that sees them is sent them all, whenever one of them changes. */
export const MAX_DNS_RECORDS = 1000;
export const MAX_RECORD_ADDRESSES = 16;

export const dnsVocabulary = {
  permissions: {
    'dns:read': 'List and read DNS records.',
    'dns:write': 'Create, change and delete DNS records.',
  },
  ids: { dns: 'DNS record' },
} as const satisfies Vocabulary;
