/** The part of the configuration for connections that nginx does not look into: the kinds `tls`, `tcp` and `udp`. */
import { parseNetwork } from '@meshwork/addresses';
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { isId } from '@meshwork/contract/vocabulary';
import { challengeStreams } from './challenges/challenge-streams.ts';
import { isBehindProxies } from './front-servers.ts';
import { GATEWAY_FILES, njsFile, proxiesSocket, streamFile, streamSocket } from './gateway-files.ts';
import { listensOn, proxyProtocol, sharesHttps, trustedBalancers } from './listeners.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, joined, withVariables } from './nginx-text.ts';
import { NJS_MODULE } from './njs/program.ts';
import { checkNetworks, HOSTNAME, refusing } from './record-check.ts';
import { served } from './server-blocks.ts';

type Traffic = AssignedRoute['traffic'];

/** Ours: no request and no websocket lasts longer without a byte. The servers behind it end idle connections by their own rules. */
const SHARED_IDLE = '25h';
/** The kernel's, with the end of the text. */
const MAX_SOCKET_PATH = 107;

/** Empty: there is no such ingress, and the port for HTTPS is not shared. */
export function streamBlocks(input: NginxInput): readonly Directive[] {
  const streams = input.section.filter(({ kind }) => kind !== 'http');
  if (streams.length === 0 && !sharesHttps(input)) return [];
  for (const ingress of streams) checkRecord(ingress);
  checkPlaces(streams, input);
  return [
    block(
      'stream',
      [],
      [
        directive('js_import', NJS_MODULE, 'from', `${input.folder}/${njsFile(`${NJS_MODULE}.js`)}`),
        directive('js_var', withVariables('$mesh_group')),
        directive('js_var', withVariables('$mesh_to')),
        directive('js_set', withVariables('$mesh_client'), `${NJS_MODULE}.client`),
        directive('map_hash_bucket_size', 512),
        directive('map_hash_max_size', 16_384),
        directive('access_log', 'off'),
        directive('limit_conn_log_level', 'info'), // a crowd of clients is no reason for a crowd of complaints
        directive('tcp_nodelay', 'on'),
        directive('proxy_socket_keepalive', 'on'),
        directive('proxy_next_upstream_tries', 3),
        directive('proxy_next_upstream_timeout', '10s'),
        directive('include', `${input.folder}/${GATEWAY_FILES.groups}`),
        ...(sharesHttps(input) ? sharedHttps(input, streams) : []),
        ...streams.flatMap((ingress) => streamServer(ingress, input)),
      ],
    ),
  ];
}

/** Reads which host name a connection is for, and nothing else of it. Names that are not passed through are for HTTPS. */
function sharedHttps(input: NginxInput, streams: readonly IngressAssignment[]): readonly Directive[] {
  const socket = (name: string) => `unix:${input.folder}/${name}`;
  const through = new Set(streams.flatMap(({ kind, hostname }) => (kind === 'tls' ? [hostname] : [])));
  const names = streams.flatMap(({ kind, hostname, id }) =>
    // A name may be a word that means something here ("default"), unless there is a backslash before it.
    kind === 'tls' ? [directive(`\\\\${hostname}`, socket(streamSocket(id)))] : [],
  );
  const fronts = served(input.section.filter(({ kind }) => kind === 'http')).filter((one) =>
    isBehindProxies(one, input),
  );
  for (const ingress of fronts) checkFront(ingress);
  const fromOf = ({ id }: IngressAssignment) => joined(withVariables('$mesh_from_'), id);
  const place = withVariables('$mesh_tls_place');
  const usual = directive('default', socket(GATEWAY_FILES.https));
  const challenges = challengeStreams(input, { through, place });
  return [
    ...fronts.map((ingress) => {
      const networks = new Set(ingress.proxies?.networks);
      const proxies = [...networks].map((network) => directive(network, socket(proxiesSocket(ingress.id))));
      return block('geo', [fromOf(ingress)], [usual, ...proxies]);
    }),
    block(
      'map',
      [withVariables('$ssl_preread_server_name'), place],
      [
        directive('hostnames'),
        usual,
        ...names,
        ...fronts
          .filter(({ hostname }) => !through.has(hostname))
          .map((ingress) => directive(`\\\\${ingress.hostname}`, fromOf(ingress))),
      ],
    ),
    ...challenges.directives,
    block(
      'server',
      [],
      [
        ...listensOn(input, input.https_port, [...proxyProtocol(input), 'so_keepalive=on']),
        ...trustedBalancers(input),
        directive('ssl_preread', 'on'),
        directive('proxy_timeout', SHARED_IDLE),
        directive('proxy_protocol', 'on'),
        directive('proxy_pass', challenges.place),
      ],
    ),
  ];
}

function streamServer(ingress: IngressAssignment, input: NginxInput): readonly Directive[] {
  const { id, kind, routes } = ingress;
  const [route] = routes;
  if (route === undefined) return [];
  const { connections } = route.traffic.limits;
  const zone =
    connections === null ? [] : [directive('limit_conn_zone', withVariables('$mesh_client'), `zone=${id}:1m`)];
  return [
    ...zone,
    block(
      'server',
      [],
      [
        ...places(ingress, input),
        directive('set', withVariables('$mesh_live'), `${input.folder}/${streamFile(id)}`),
        directive('set', withVariables('$mesh_groups'), kind === 'udp' ? 0 : 1),
        directive('js_access', `${NJS_MODULE}.access`),
        ...networks(route.traffic),
        ...(connections === null ? [] : [directive('limit_conn', id, connections)]),
        directive('proxy_connect_timeout', `${route.traffic.connect_timeout_s}s`),
        directive('proxy_timeout', `${route.traffic.idle_timeout_s}s`),
        // A client that has sent all it has still gets its answer. TLS says its end itself, and both sides at once.
        ...(kind === 'tcp' ? [directive('proxy_half_close', 'on')] : []),
        ...(route.proxy_protocol && kind !== 'udp' ? [directive('proxy_protocol', 'on')] : []),
        directive('proxy_pass', withVariables('$mesh_to')),
      ],
    ),
  ];
}

function places({ id, kind, port }: IngressAssignment, input: NginxInput): readonly Directive[] {
  if (kind === 'tls') {
    return [
      directive('listen', `unix:${input.folder}/${streamSocket(id)}`, 'proxy_protocol'),
      directive('set_real_ip_from', 'unix:'),
    ];
  }
  // With a socket for each worker, all datagrams of a client come to the same one, where its session is.
  if (kind === 'udp') return listensOn(input, port ?? 0, ['udp', 'reuseport']);
  return [...listensOn(input, port ?? 0, [...proxyProtocol(input), 'so_keepalive=on']), ...trustedBalancers(input)];
}

/** The first rule that names an address counts. */
function networks({ networks: { allow, deny } }: Traffic): readonly Directive[] {
  const named = (name: string, list: readonly string[]) => list.map((network) => directive(name, network));
  return [...named('deny', deny), ...named('allow', allow), ...(allow.length > 0 ? [directive('deny', 'all')] : [])];
}

/** What is written into the configuration means only itself. What is not like that is refused, and named. */
function checkRecord({ id, kind, hostname, port, routes }: IngressAssignment): void {
  const refuse = refusing(id);
  const isWhole = (value: number | null, most: number) =>
    value !== null && Number.isInteger(value) && value >= 1 && value <= most;
  if (!isId('ingress', id)) refuse('its id', id);
  if (!HOSTNAME.test(hostname)) refuse('its host name', hostname);
  if (kind !== 'tls' && !isWhole(port, 65_535)) refuse('its port', port);
  if (routes.length !== 1)
    throw new Error(`ingress ${id} cannot be served: it has ${routes.length} routes instead of one`);
  for (const { traffic } of routes) {
    checkNetworks([...traffic.networks.deny, ...traffic.networks.allow], refuse);
    const { connections } = traffic.limits;
    if (connections !== null && !isWhole(connections, 65_535)) refuse('its limit of connections', connections);
    if (!isWhole(traffic.connect_timeout_s, 86_400)) refuse('its timeout', traffic.connect_timeout_s);
    if (!isWhole(traffic.idle_timeout_s, 86_400)) refuse('its timeout', traffic.idle_timeout_s);
  }
}

/** What is written here of an ingress whose TLS nginx ends. */
function checkFront({ id, hostname, proxies }: IngressAssignment): void {
  const strange = [...(proxies?.networks ?? [])].find((network) => parseNetwork(network) === undefined);
  if (strange !== undefined || !isId('ingress', id) || !HOSTNAME.test(hostname)) {
    const value = JSON.stringify(strange ?? hostname);
    throw new Error(`ingress ${JSON.stringify(id)} cannot be served: ${value} is no network or host name`);
  }
}

/** `served-streams.ts` leaves out what would be refused here for all. */
function checkPlaces(streams: readonly IngressAssignment[], { folder, http_port, https_port }: NginxInput): void {
  const taken = new Map<string, string>([http_port, https_port].map((port) => [`tcp ${port}`, 'the gateway']));
  for (const { id, kind, hostname, port } of streams) {
    for (const place of [id, kind === 'tls' ? `tls ${hostname}` : `${kind} ${port}`]) {
      const other = taken.get(place);
      if (other !== undefined) throw new Error(`ingress ${id} cannot be served: ${other} has ${place}`);
      taken.set(place, id);
    }
    const path = `${folder}/${streamSocket(id)}`;
    if (kind === 'tls' && path.length > MAX_SOCKET_PATH) {
      throw new Error(
        `ingress ${id} cannot be served: ${path} is too long for a socket, set MESH_GATEWAY_DIR to a shorter path`,
      );
    }
  }
}
