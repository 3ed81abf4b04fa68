/**
 * The servers of one ingress: where they listen, and whose word on the address of the client counts there.
 *
 * nginx takes that address from one place only: the PROXY protocol, or a header. Behind a port that is shared with TLS that is passed
 * through, every connection comes from our own socket with the PROXY protocol, so none would count as a proxy's. Therefore
 * connections from proxies that an ingress names have a socket of their own. Who is one of them is decided where the connection
 * comes in (`stream-blocks.ts`), and only there the header is believed.
 */
import type { IngressAssignment } from '@meshwork/contract';
import { proxiesSocket } from './gateway-files.ts';
import { httpsSocket, listens, listensOn, sharesHttps } from './listeners.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive } from './nginx-text.ts';

interface Front {
  /** Whether it is also served by plain HTTP. */
  readonly plain: boolean;
  /** What shows its certificate. Undefined: it has none. */
  readonly certificate: readonly Directive[] | undefined;
  /** Which proxies are believed, and how. Empty: none. */
  readonly proxies: readonly Directive[];
  readonly inside: readonly Directive[];
}

export function frontServers(
  input: NginxInput,
  ingress: IngressAssignment,
  { plain, certificate, proxies, inside }: Front,
): readonly Directive[] {
  const http = plain ? listens(input, 'http') : [];
  const secure = (places: readonly Directive[]) => (certificate === undefined ? [] : [...places, ...certificate]);
  if (!isBehindProxies(ingress, input)) {
    const trusted = hasBalancers(input) ? [] : proxies; // what they say counts for the whole port
    return [block('server', [], [...http, ...secure(listens(input, 'https')), ...trusted, ...inside])];
  }
  const direct = sharesHttps(input) ? [] : listensOn(input, input.https_port, ['ssl', 'http2']);
  const socket = proxiesListen(input, ingress);
  const trusted = [directive('set_real_ip_from', 'unix:'), ...proxies];
  return [
    block('server', [], [...http, ...secure([...direct, socket]), ...trusted, ...inside]),
    block('server', [], [...secure([httpsSocket(input)]), ...inside]),
  ];
}

/** For the server of names that no ingress has: each socket needs it. */
export function proxiesListens(input: NginxInput, section: readonly IngressAssignment[]): readonly Directive[] {
  const behind = section.filter((ingress) => isBehindProxies(ingress, input));
  return behind.map((ingress) => proxiesListen(input, ingress, ['default_server']));
}

/** Whether proxies in front of it are known from other clients by where nginx gets their connections. */
export function isBehindProxies({ id, kind, proxies }: IngressAssignment, input: NginxInput): boolean {
  const names = proxies !== null && proxies.networks.length > 0;
  return kind === 'http' && names && input.certified.has(id) && !hasBalancers(input);
}

function hasBalancers({ proxy_protocol = [] }: NginxInput): boolean {
  return proxy_protocol.length > 0;
}

function proxiesListen(input: NginxInput, { id }: IngressAssignment, options: readonly string[] = []): Directive {
  const place = `unix:${input.folder}/${proxiesSocket(id)}`;
  return directive('listen', place, 'proxy_protocol', 'ssl', 'http2', ...options);
}
