/** The servers of the configuration: one for each host name, and those for names that no ingress has. */
import type { IngressAssignment } from '@meshwork/contract';
import { challengePlace } from './challenges/challenge-place.ts';
import { allowedNames, clientChecks, REFUSAL_FORM } from './client-certificates.ts';
import { asksForCertificates } from './client-headers.ts';
import { frontServers, proxiesListens } from './front-servers.ts';
import { tlsFile } from './gateway-files.ts';
import { hasHttps, listens } from './listeners.ts';
import { locations } from './locations.ts';
import { LUA_MODULE } from './lua/program.ts';
import { grpcMessage, PAGE_KIND } from './maintenance.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, joined, luaBlock, withVariables } from './nginx-text.ts';
import { upstream } from './passing.ts';
import { proofPlace } from './proof-place.ts';
import { checkRecord } from './record-check.ts';
import { definitionsFor } from './record-texts.ts';
import { countedServer } from './traffic/access-log.ts';
import { sharedRules } from './traffic-rules.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { proxiedConnections } from './visitor-identity.ts';

export function defaultServers(input: NginxInput): readonly Directive[] {
  const unknown = [directive('return', 421, 'This gateway serves no such host name.')];
  const plain = listens(input, 'http', ['default_server', 'so_keepalive=on']);
  const answer = [directive('server_name', '_'), directive('default_type', 'text/plain'), ...unknown];
  const servers = [block('server', [], [...plain, ...answer])];
  if (!hasHttps(input)) return servers;
  const fronts = served(input.section.filter(({ kind }) => kind === 'http'));
  const tls = [...listens(input, 'https', ['default_server', 'so_keepalive=on']), ...proxiesListens(input, fronts)];
  // A name that is not ours gets no certificate. On a connection for another name, it gets the answer.
  return [...servers, block('server', [], [...tls, directive('ssl_reject_handshake', 'on'), ...answer])];
}

/** What rules of ingresses need once for all. nginx takes none that relies on a variable that no location sets. */
export function httpRules(input: NginxInput): readonly Directive[] {
  const section = servedHttp(input.section).filter((ingress) => hasLocations(ingress, input));
  const routes = section.flatMap((ingress) => ingress.routes);
  const rules = routes.flatMap(({ traffic }) => [...traffic.request_headers, ...traffic.response_headers]);
  const texts = [...rules.map(({ value }) => value ?? ''), ...section.map(grpcMessage), ...section.map(allowedNames)];
  const refusals = section.some(asksForCertificates) ? [REFUSAL_FORM] : [];
  return [...definitionsFor(texts), ...sharedRules(section), ...proxiedConnections(section), PAGE_KIND, ...refusals];
}

export function ingressServers(input: NginxInput): readonly Directive[] {
  let number = 0;
  return servedHttp(input.section).flatMap((ingress) => {
    const upstreams = ingress.routes.map((route, index) => upstream(ingress.id, index, route, ++number));
    return [...upstreams, ...serversOf(ingress, input)];
  });
}

/** Whose certificate is shown, by host name. */
export function certificatesByHost(section: readonly IngressAssignment[], certified: ReadonlyMap<string, unknown>) {
  const http = served(section.filter(({ kind }) => kind === 'http'));
  return new Map(http.flatMap(({ id, hostname }) => (certified.has(id) ? [[hostname, id] as const] : [])));
}

/** Each of them can be served as it stands. */
function servedHttp(section: readonly IngressAssignment[]): readonly IngressAssignment[] {
  const ids = new Set<string>();
  const all = served(section.filter(({ kind }) => kind === 'http'));
  for (const ingress of all) {
    checkRecord(ingress);
    if (ids.has(ingress.id)) throw new Error(`ingress ${ingress.id} cannot be served: it is there twice`);
    ids.add(ingress.id);
  }
  return all;
}

/** One for each host name. Where an ingress drains and another took over its name, the name is the other's. */
export function served(section: readonly IngressAssignment[]): readonly IngressAssignment[] {
  const byName = new Map<string, IngressAssignment>();
  for (const ingress of section) {
    const other = byName.get(ingress.hostname);
    if (other === undefined || (other.draining && !ingress.draining)) byName.set(ingress.hostname, ingress);
  }
  return [...byName.values()];
}

function serversOf(ingress: IngressAssignment, input: NginxInput): readonly Directive[] {
  const { id, tls } = ingress;
  const name = directive('server_name', inHostHeader(ingress.hostname));
  const proxies = trustedProxies(ingress);
  const inside = [
    name,
    ...countedServer(ingress, input.folder),
    luaBlock('log_by_lua_block', `${LUA_MODULE}.log()`),
    directive('uninitialized_variable_warn', 'off'), // a request may be refused before it has a route
    ...locations(ingress, input),
  ];
  const certificate = joined(withVariables('$mesh_tls'), `/${tlsFile(id).split('/').at(-1)}`);
  const hasTls = tls !== null && input.certified.has(id);
  const shown = [
    directive('ssl_certificate', certificate),
    directive('ssl_certificate_key', certificate),
    luaBlock('ssl_certificate_by_lua_block', `${LUA_MODULE}.show_certificate()`),
    ...(hasTls ? clientChecks(ingress, input) : []),
  ];
  if (tls === null || !tls.redirect) {
    return frontServers(input, ingress, { plain: true, certificate: hasTls ? shown : undefined, proxies, inside });
  }
  const port = input.https_port === 443 ? '' : `:${input.https_port}`;
  const place = joined(withVariables('https://$host'), port, withVariables('$request_uri'));
  const all = block('location', ['/'], [directive('return', 308, place)]);
  const redirect = block(
    'server',
    [],
    [
      ...listens(input, 'http'),
      name,
      ...countedServer(ingress, input.folder),
      proofPlace(ingress),
      ...challengePlace(ingress),
      all,
    ],
  );
  if (!hasLocations(ingress, input)) return [redirect];
  // It comes by no other port. To find that out for each request takes as long as to count it.
  const known = [directive('set', withVariables('$mesh_port'), input.https_port), ...inside];
  return [redirect, ...frontServers(input, ingress, { plain: false, certificate: shown, proxies, inside: known })];
}

/** Without a certificate, clients that are to come by HTTPS cannot come. */
function hasLocations({ id, tls }: IngressAssignment, { certified }: NginxInput): boolean {
  return tls === null || !tls.redirect || certified.has(id);
}

function inHostHeader(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}
