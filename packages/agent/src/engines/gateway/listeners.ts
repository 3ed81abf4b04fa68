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
  const inside = all.filter((option) => !option.startsWith('so_')); // those are for connections from outside
  // Also while the port is not shared: workers from when it was pass on what they still have.
  const socket = directive('listen', `unix:${input.folder}/${GATEWAY_FILES.https}`, 'proxy_protocol', ...inside);
  if (sharesHttps(input)) return [socket];
  return [...listensOn(input, input.https_port, [...proxyProtocol(input), ...all]), socket];
}

/** A port of every address. */
export function listensOn({ ipv6 }: NginxInput, port: number, options: readonly string[]): readonly Directive[] {
  return (ipv6 ? [`${port}`, `[::]:${port}`] : [`${port}`]).map((place) => directive('listen', place, ...options));
}

/** Connections to the port for HTTPS are first read for their host name: some are passed through as they are. */
export function sharesHttps({ section }: Pick<NginxInput, 'section'>): boolean {
  return section.some(({ kind }) => kind === 'tls');
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

/** For all servers of HTTP. One whose ingress names proxies adds what `clientAddress` says. */
export function listenerSettings(input: NginxInput): readonly Directive[] {
  return [
    // On a socket of ours there is no port. The one that the client came to is in the PROXY protocol.
    block(
      'map',
      [withVariables('$server_port'), withVariables('$mesh_port')],
      [
        directive('default', withVariables('$proxy_protocol_server_port')),
        directive('~.', withVariables('$server_port')),
      ],
    ),
    directive('set_real_ip_from', 'unix:'),
    ...trustedBalancers(input),
    directive('real_ip_header', 'proxy_protocol'),
  ];
}

/**
 * For a server whose ingress names proxies: `theirs` says how their header is read. nginx takes the address of a client from one
 * place only. Where that is the PROXY protocol, the header is not believed: on our own socket every client would be such a proxy.
 * While the socket is only there for workers from before, such a client has to connect anew: its address would not be known.
 */
export function clientAddress(input: NginxInput, theirs: readonly Directive[]): readonly Directive[] {
  if (sharesHttps(input) || (input.proxy_protocol ?? []).length > 0) return [];
  const onSocket = block('if', [withVariables('($server_port'), '=', '', ')'], [directive('return', 421)]);
  return [...theirs, onSocket];
}

function canonical(text: string): string {
  const network = exactNetwork(text);
  if (network === undefined) throw new Error(`${JSON.stringify(text)} is no network of load balancers`);
  return formatNetwork(network);
}
