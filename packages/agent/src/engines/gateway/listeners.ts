/** Where nginx takes connections for host names, and whose word on the address of a client counts there. */
import { exactNetwork, formatNetwork } from '@meshwork/addresses';
import { GATEWAY_FILES } from './gateway-files.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, withVariables } from './nginx-text.ts';

export function listens(
  input: NginxInput,
  scheme: 'http' | 'https',
  options: readonly string[] = [],
): readonly Directive[] {
  if (scheme === 'http') return listensOn(input, input.http_port, [...proxyProtocol(input), ...options]);
  const all = ['ssl', 'http2', ...options];
  // Also while the port is not shared: workers from when it was pass on what they still have.
  const socket = httpsSocket(input, options);
  if (sharesHttps(input)) return [socket];
  return [...listensOn(input, input.https_port, [...proxyProtocol(input), ...all]), socket];
}

/** Behind a port that is shared. */
export function httpsSocket({ folder }: NginxInput, options: readonly string[] = []): Directive {
  const inside = options.filter((option) => !option.startsWith('so_')); // those are for connections from outside
  return directive('listen', `unix:${folder}/${GATEWAY_FILES.https}`, 'proxy_protocol', 'ssl', 'http2', ...inside);
}

/** A port of every address. */
export function listensOn({ ipv6 }: NginxInput, port: number, options: readonly string[]): readonly Directive[] {
  return (ipv6 ? [`${port}`, `[::]:${port}`] : [`${port}`]).map((place) => directive('listen', place, ...options));
}

/**
 * Connections to the port for HTTPS are first read for their host name: some are passed through as they are, and some are from an authority
 * that looks for the answer to a challenge.
 */
export function sharesHttps({ section }: Pick<NginxInput, 'section'>): boolean {
  return section.some((ingress) => ingress.kind === 'tls' || answersByTls(ingress));
}

export function answersByTls({ kind, tls }: NginxInput['section'][number]): boolean {
  return kind === 'http' && tls?.challenge === 'tls-alpn-01';
}

/** Whether there has to be a server for names that no ingress has. */
export function hasHttps(input: NginxInput): boolean {
  return input.certified.size > 0 || sharesHttps(input);
}

/** Of a listener that load balancers may be in front of. */
export function proxyProtocol({ proxy_protocol = [] }: NginxInput): readonly string[] {
  return proxy_protocol.length > 0 ? ['proxy_protocol'] : [];
}

/** The load balancers: what the PROXY protocol says counts only from them. */
export function trustedBalancers({ proxy_protocol = [] }: NginxInput): readonly Directive[] {
  return proxy_protocol.map((text) => directive('set_real_ip_from', canonical(text)));
}

/** For all servers of HTTP. Those for proxies that an ingress names have their own: see `front-servers.ts`. */
export function listenerSettings(input: NginxInput): readonly Directive[] {
  return [
    // On a socket of ours there is no port. The one that the client came to is in the PROXY protocol.
    block(
      'map',
      [withVariables('$server_port'), withVariables('$mesh_port')],
      [
        directive('default', withVariables('$server_port')),
        directive('""', withVariables('$proxy_protocol_server_port')),
      ],
    ),
    directive('set_real_ip_from', 'unix:'),
    ...trustedBalancers(input),
    directive('real_ip_header', 'proxy_protocol'),
  ];
}

function canonical(text: string): string {
  const network = exactNetwork(text);
  if (network === undefined) throw new Error(`${JSON.stringify(text)} is no network of load balancers`);
  return formatNetwork(network);
}
