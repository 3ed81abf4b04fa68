/** What follows from the kind of an ingress, and what the kinds are called. */
import type { Ingress, Upstream } from '@meshwork/contract';
import { DEFAULT_UPSTREAM } from '@meshwork/contract/vocabulary';

export type IngressKind = Ingress['kind'];

export const KINDS = ['http', 'tls', 'tcp', 'udp'] as const satisfies readonly IngressKind[];

export const KIND_WORDS: Readonly<Record<IngressKind, string>> = {
  http: 'HTTP',
  tls: 'TLS passthrough',
  tcp: 'TCP',
  udp: 'UDP',
};

/** Whether it has a port of the gateways for itself. The others share those for HTTP and HTTPS. */
export function hasPort(kind: IngressKind): boolean {
  return kind === 'tcp' || kind === 'udp';
}

type Addressed = Pick<Ingress, 'kind' | 'hostname' | 'port' | 'tls'>;

/** What people enter. A host name can be nothing but letters, digits, dashes, dots and colons. */
export function addressOf({ kind, hostname, port, tls }: Addressed): string {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  if (kind === 'http') return `${tls.certificate === 'none' ? 'http' : 'https'}://${host}`;
  return `${host}:${kind === 'tls' ? 443 : port}`;
}

/** How gateways reach a service of an ingress of this kind, unless a person says otherwise. */
export function defaultUpstream(kind: IngressKind): Upstream {
  if (kind === 'http') return DEFAULT_UPSTREAM;
  const isUdp = kind === 'udp';
  const { check } = DEFAULT_UPSTREAM;
  return {
    ...DEFAULT_UPSTREAM,
    protocol: isUdp ? 'udp' : 'tcp',
    check: { ...check, kind: isUdp ? 'none' : 'tcp' },
  };
}

/** Where gateways end no TLS, they show no certificate. */
export function defaultTls(kind: IngressKind): Ingress['tls'] {
  const anyone = { clients: 'none' as const, client_names: [] };
  if (kind === 'http') return { certificate: 'mesh', redirect: true, ...anyone };
  return { certificate: 'none', redirect: false, ...anyone };
}
