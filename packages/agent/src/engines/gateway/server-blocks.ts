/** The servers of the configuration: one for each host name, and those for names that no ingress has. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';
import { frontServers, proxiesListens } from './front-servers.ts';
import { caFile, drainFile, tlsFile } from './gateway-files.ts';
import { hasHttps, listens } from './listeners.ts';
import { LUA_MODULE } from './lua/program.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, joined, luaBlock, withVariables } from './nginx-text.ts';
import { trustedProxies } from './trusted-proxies.ts';

/** Idle connections that a worker keeps to the nodes of a route. */
const KEPT_CONNECTIONS = 64;

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

export function ingressServers(input: NginxInput): readonly Directive[] {
  const ids = new Set<string>();
  const section = input.section.filter(({ kind }) => kind === 'http');
  return served(section).flatMap((ingress) => {
    checkRecord(ingress);
    if (ids.has(ingress.id)) throw new Error(`ingress ${ingress.id} cannot be served: it is there twice`);
    ids.add(ingress.id);
    const upstreams = ingress.routes.map((_, index) => upstream(ingress.id, index));
    return [...upstreams, ...serversOf(ingress, input)];
  });
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
    luaBlock('log_by_lua_block', `${LUA_MODULE}.log()`),
    ...answers(),
    ...locations(ingress, input),
  ];
  const certificate = joined(withVariables('$mesh_tls'), `/${tlsFile(id).split('/').at(-1)}`);
  const shown = [directive('ssl_certificate', certificate), directive('ssl_certificate_key', certificate)];
  const hasTls = tls !== null && input.certified.has(id);
  if (tls === null || !tls.redirect) {
    return frontServers(input, ingress, { plain: true, certificate: hasTls ? shown : undefined, proxies, inside });
  }
  const port = input.https_port === 443 ? '' : `:${input.https_port}`;
  const place = joined(withVariables('https://$host'), port, withVariables('$request_uri'));
  const redirect = block('server', [], [...listens(input, 'http'), name, directive('return', 308, place)]);
  if (!hasTls) return [redirect];
  return [redirect, ...frontServers(input, ingress, { plain: false, certificate: shown, proxies, inside })];
}

/** Which node a request goes to is chosen for each request: the address is never used. */
function upstream(id: string, index: number): Directive {
  return block(
    'upstream',
    [upstreamName(id, index)],
    [
      directive('server', '0.0.0.1'),
      luaBlock('balancer_by_lua_block', `${LUA_MODULE}.balance()`),
      directive('keepalive', KEPT_CONNECTIONS),
    ],
  );
}

function upstreamName(id: string, index: number): string {
  return `${id}_${index}`;
}

function locations(ingress: IngressAssignment, input: NginxInput): readonly Directive[] {
  return ingress.routes.flatMap((route, index) => {
    const drain = `@drain_${index}`;
    const passed = passing(ingress.id, index, route, input);
    const draining = withFile(input, drainFile(ingress.id), [directive('return', DRAINING)]);
    const usual = [draining, directive('error_page', DRAINING, '=', drain), ...ERROR_PAGES, ...passed];
    const matches =
      route.path === '/'
        ? [['/']]
        : [
            ['=', route.path],
            ['^~', `${route.path}/`],
          ];
    return [
      ...matches.map((match) => block('location', match, usual)),
      block(
        'location',
        [drain],
        [
          directive('keepalive_timeout', 0), // clients leave with the next answer
          luaBlock('access_by_lua_block', `${LUA_MODULE}.drain()`),
          ...passed,
        ],
      ),
    ];
  });
}

/** No upstream's answer: those are passed on as they are. */
const DRAINING = 418;

function withFile({ folder }: NginxInput, name: string, inside: readonly Directive[]): Directive {
  return block('if', [`(-f`, `${folder}/${name})`], inside);
}

function passing(id: string, index: number, route: AssignedRoute, input: NginxInput): readonly Directive[] {
  const variables = [
    directive('set', withVariables('$mesh_route'), `${id}/${index}`),
    directive('set', withVariables('$mesh_service'), route.pools[0]?.service ?? ''),
    directive('set', withVariables('$mesh_peer'), ''),
  ];
  if (route.protocol === 'http') return [...variables, directive('proxy_pass', `http://${upstreamName(id, index)}`)];
  // Without the roots of the mesh no node can prove that it is the one.
  if (input.ca === undefined) return [...variables, directive('return', 502)];
  return [
    ...variables,
    directive('proxy_ssl_verify', 'on'),
    directive('proxy_ssl_verify_depth', 3),
    directive('proxy_ssl_trusted_certificate', `${input.folder}/${caFile(input.ca)}`),
    directive('proxy_ssl_name', withVariables('$mesh_peer')),
    directive('proxy_ssl_server_name', 'on'),
    directive('proxy_ssl_session_reuse', 'off'), // a session of one node would be offered to another
    directive('proxy_pass', `https://${upstreamName(id, index)}`),
  ];
}

/** What nginx itself answers when no node does. */
function answers(): readonly Directive[] {
  const none = directive('return', 503, withVariables('No node of service $mesh_service answers.'));
  const texts = [
    [502, withVariables('Service $mesh_service did not answer as it should.')],
    [504, withVariables('Service $mesh_service did not answer in time.')],
  ] as const;
  const pages = texts.map(([status, text]) =>
    block(
      'location',
      [`@answer_${status}`],
      [
        directive('default_type', 'text/plain'),
        directive('add_header', 'Cache-Control', 'no-store', 'always'),
        // Without a node to ask, nginx itself comes here with 502.
        block('if', [withVariables('($mesh_peer'), '=', '', ')'], [none]),
        directive('return', status, text),
      ],
    ),
  );
  return [...ERROR_PAGES, ...pages];
}

/** Repeated where a location has one more: it inherits none then. */
const ERROR_PAGES = [502, 504].map((status) => directive('error_page', status, '=', `@answer_${status}`));

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Names and addresses. nginx would take one that begins with "~" for a pattern, and "*" for any name. */
const HOSTNAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}(?:\\.${LABEL})*|[0-9a-f:]{2,39})$`);
const SERVICE = new RegExp(`^${LABEL}$`);
const PATH = /^(?=.{1,200}$)\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/;

/** What is written into the configuration means only itself. What is not like that is refused, and named. */
function checkRecord({ id, hostname, routes }: IngressAssignment): void {
  const refuse = (what: string, value: string) => {
    throw new Error(`ingress ${JSON.stringify(id)} cannot be served: ${what} ${JSON.stringify(value)} is not one`);
  };
  if (!isId('ingress', id)) refuse('its id', id);
  if (!HOSTNAME.test(hostname)) refuse('its host name', hostname);
  for (const { path, pools } of routes) {
    if (!PATH.test(path)) refuse('the path', path);
    const [first] = pools;
    if (first !== undefined && !SERVICE.test(first.service)) refuse('the service', first.service);
  }
  const paths = new Set(routes.map(({ path }) => path));
  if (paths.size < routes.length) throw new Error(`ingress ${id} cannot be served: it has two routes for one path`);
}

function inHostHeader(hostname: string): string {
  return hostname.includes(':') ? `[${hostname}]` : hostname;
}
