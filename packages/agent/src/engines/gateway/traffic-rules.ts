/**
 * Which requests may pass a route: by network, by how many there are, and by the size of their body. A route without such a rule
 * has none of this, and pays nothing for it.
 */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { LUA_MODULE } from './lua/program.ts';
import { block, type Directive, directive, type Expression, joined, luaBlock, withVariables } from './nginx-text.ts';
import { digestOf } from './record-texts.ts';

type Traffic = AssignedRoute['traffic'];
type Limits = Traffic['limits'];
type Rate = NonNullable<Traffic['limits']['requests']>['rate'];

/**
 * Ours. A client takes 128 bytes of the first and 64 of the second. When the first is full, the clients that came least recently are
 * forgotten. The second has a client only while it has a request open, of which nginx has fewer than there is room for.
 * Memory is taken as it is used.
 */
const REQUESTS_ZONE = '16m';
const CONNECTIONS_ZONE = '32m';

/** What the rules of all routes need once. */
export function sharedRules(section: readonly IngressAssignment[]): readonly Directive[] {
  const all = section.flatMap(({ routes }) => routes.map(({ traffic }) => traffic));
  const lists = [
    ...all.flatMap(({ networks }) => [networks.allow, networks.deny]),
    ...section.flatMap(({ maintenance }) => (maintenance === null ? [] : [maintenance.allow])),
  ].filter((list) => list.length > 0);
  const distinct = new Map(lists.map((list) => [listDigest(list), list]));
  return [
    ...[...distinct.values()].map((list) => membership(list)),
    ...zones(all.map(({ limits }) => limits)),
    directive('limit_req_status', 429),
    directive('limit_conn_status', 429),
    directive('limit_req_log_level', 'info'), // a crowd of requests is no reason for a crowd of complaints
    directive('limit_conn_log_level', 'info'),
  ];
}

/** A variable that is 1 for clients of these networks, and empty for others. `of`: whose list it is, where it is not of a route. */
export function membership(networks: readonly string[], of = ''): Directive {
  const name = joined(withVariables('$mesh_in_'), of, listDigest(networks));
  return block(
    'geo',
    [name],
    [...new Set(networks)].map((network) => directive(network, 1)),
  );
}

/** For text in which something follows. */
export function memberVariable(networks: readonly string[], of = ''): Expression {
  return joined(withVariables('${mesh_in_'), of, listDigest(networks), withVariables('}'));
}

function listDigest(networks: readonly string[]): string {
  return digestOf(networks.join(' '));
}

function ifFrom(networks: readonly string[], inside: readonly Directive[]): readonly Directive[] {
  if (networks.length === 0) return [];
  return [block('if', [joined(withVariables('($mesh_in_'), listDigest(networks), ')')], inside)];
}

export function ifNotFrom(networks: readonly string[], inside: readonly Directive[]): Directive {
  return block('if', [joined(withVariables('($mesh_in_'), listDigest(networks)), '=', '', ')'], inside);
}

/** Before all else: who may not pass is not counted, and learns nothing more. `before`: what is noted of it. */
export function networkRules(
  { networks: { allow, deny } }: Traffic,
  before: readonly Directive[] = [],
): readonly Directive[] {
  const refused = [...before, directive('return', 403)];
  return [...ifFrom(deny, refused), ...(allow.length === 0 ? [] : [ifNotFrom(allow, refused)])];
}

/**
 * Zones are shared by all routes, apart by what `$mesh_limited` says, so that there are few of them. A reload keeps the counts of a
 * zone whose name and size stay. nginx refuses one under the same name with another key: with another key, they need other names.
 */
function zones(all: readonly Limits[]): readonly Directive[] {
  const limited = all.filter(({ requests, connections }) => requests !== null || connections !== null);
  const byIdentity = limited.filter(isByIdentity);
  const byAddress = limited.filter((limits) => !isByIdentity(limits));
  if (limited.length === 0) return [];
  return [
    // Its address, but of IPv6 the /64: a client has all of it. One of IPv4 may come as "::ffff:192.0.2.1" from a proxy.
    block(
      'map',
      [withVariables('$binary_remote_addr'), withVariables('$mesh_client')],
      [
        directive('default', withVariables('$binary_remote_addr')),
        directive('"~(?s)^\\\\x00{10}\\\\xff\\\\xff(?<mesh_mapped>.{4})"', withVariables('$mesh_mapped')),
        directive('"~(?s)^(?<mesh_network>.{8}).{8}"', withVariables('$mesh_network')),
      ],
    ),
    ...zonesOf(byAddress, withVariables('$mesh_limited$mesh_client')),
    ...(byIdentity.length === 0 ? [] : [COUNTED]),
    ...zonesOf(byIdentity, withVariables('$mesh_limited$mesh_counted')),
  ];
}

/** What is known of a client: see `lua/identity.ts`. One of whom nothing is known counts by its address. */
const COUNTED = block(
  'map',
  [withVariables('$mesh_identity'), withVariables('$mesh_counted')],
  [directive('default', withVariables('$mesh_identity')), directive('""', withVariables('$mesh_client'))],
);

function zonesOf(all: readonly Limits[], key: Expression): readonly Directive[] {
  const zonesByName = new Map<string, Directive>();
  for (const limits of all) {
    const { requests, connections } = limits;
    if (requests !== null) {
      const name = requestsZone(requests.rate, limits);
      const rate = `rate=${requests.rate.replace('/', 'r/')}`;
      zonesByName.set(name, directive('limit_req_zone', key, `zone=${name}:${REQUESTS_ZONE}`, rate));
    }
    if (connections === null) continue;
    const name = connectionsZone(limits);
    zonesByName.set(name, directive('limit_conn_zone', key, `zone=${name}:${CONNECTIONS_ZONE}`));
  }
  return [...zonesByName.values()];
}

export function isByIdentity({ by }: Pick<Limits, 'by'>): boolean {
  return by === 'identity';
}

function connectionsZone(limits: Limits): string {
  return isByIdentity(limits) ? 'mesh_connections_by_identity' : 'mesh_connections';
}

function requestsZone(rate: Rate, limits: Limits): string {
  return `mesh_requests_${rate.replace('/', '_')}${isByIdentity(limits) ? '_by_identity' : ''}`;
}

export function limitRules(id: string, { path, traffic }: AssignedRoute): readonly Directive[] {
  const { requests, connections } = traffic.limits;
  if (requests === null && connections === null) return [];
  return [
    directive('set', withVariables('$mesh_limited'), digestOf(`${id} ${path}`)),
    directive('set', withVariables('$mesh_retry_after'), requests === null ? 1 : secondsBetween(requests.rate)),
    ...(requests === null
      ? []
      : [
          directive(
            'limit_req',
            `zone=${requestsZone(requests.rate, traffic.limits)}`,
            ...(requests.burst === 0 ? [] : [`burst=${requests.burst}`]),
            'nodelay',
          ),
        ]),
    ...(connections === null ? [] : [directive('limit_conn', connectionsZone(traffic.limits), connections)]),
  ];
}

/** After which a client may send one more. */
function secondsBetween(rate: Rate): number {
  const [count, unit] = rate.split('/');
  return Math.ceil((unit === 'm' ? 60 : 1) / Number(count));
}

/** For nginx, 0 is any size. So a body of one byte is let in, and looked at. */
export function bodyRules({ max_body_bytes: max }: Traffic): readonly Directive[] {
  if (max === null) return [];
  return [directive('client_max_body_size', Math.max(1, max))];
}

/** What is asked before a request is let in, in this order. */
export function accessCode(
  ...calls: readonly ('identify' | 'identity.admit' | 'identity.enter' | 'drain' | 'refuse_body')[]
): readonly Directive[] {
  const code = calls.map((call) => `${LUA_MODULE}.${call}()`).join('; ');
  return calls.length === 0 ? [] : [luaBlock('access_by_lua_block', code)];
}
