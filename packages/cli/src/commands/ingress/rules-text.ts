/** What passes through an ingress, for people: only what differs from what every ingress has. */
import { DEFAULT_TRAFFIC, type Ingress, type Traffic, type TrafficChange } from '@meshwork/contract';
import { amount } from '../../amount.ts';

type Fact = readonly [name: string, value: string];
type HeaderRules = Traffic['request_headers'];

/** Of the rules of an ingress, those that do something. */
export function rulesOf({ traffic }: Ingress): Fact[] {
  const { networks, limits, request_headers, response_headers } = traffic;
  const { allow, deny } = networks;
  return saidOf({
    networks: { ...(allow.length > 0 ? { allow } : {}), ...(deny.length > 0 ? { deny } : {}) },
    limits: {
      ...(limits.requests === null ? {} : { requests: limits.requests }),
      ...(limits.connections === null ? {} : { connections: limits.connections }),
      ...(limits.by === 'identity' ? { by: limits.by } : {}),
    },
    ...(request_headers.length > 0 ? { request_headers } : {}),
    ...(response_headers.length > 0 ? { response_headers } : {}),
    ...differing(traffic),
  });
}

function differing({ max_body_bytes, connect_timeout_s, idle_timeout_s, compress }: Traffic): TrafficChange {
  return {
    ...(max_body_bytes === DEFAULT_TRAFFIC.max_body_bytes ? {} : { max_body_bytes }),
    ...(connect_timeout_s === DEFAULT_TRAFFIC.connect_timeout_s ? {} : { connect_timeout_s }),
    ...(idle_timeout_s === DEFAULT_TRAFFIC.idle_timeout_s ? {} : { idle_timeout_s }),
    ...(compress === DEFAULT_TRAFFIC.compress ? {} : { compress }),
  };
}

/** All that was said, such as what a route has of its own. */
export function saidOf(said: TrafficChange): Fact[] {
  const { networks, limits, request_headers, response_headers } = said;
  return [
    ...(networks?.allow === undefined ? [] : [['allow', networks.allow.join(', ') || 'all networks'] as const]),
    ...(networks?.deny === undefined ? [] : [['deny', networks.deny.join(', ') || 'no network'] as const]),
    ...(limits?.requests === undefined ? [] : [['request limit', requestsText(limits.requests)] as const]),
    ...(limits?.connections === undefined ? [] : [['connection limit', openText(limits.connections)] as const]),
    ...(limits?.by === undefined ? [] : [['limits count by', limits.by] as const]),
    ...(request_headers === undefined ? [] : [['request headers', headersText(request_headers)] as const]),
    ...(response_headers === undefined ? [] : [['response headers', headersText(response_headers)] as const]),
    ...(said.max_body_bytes === undefined ? [] : [['largest body', bodyText(said.max_body_bytes)] as const]),
    ...(said.connect_timeout_s === undefined ? [] : [['connect timeout', `${said.connect_timeout_s} s`] as const]),
    ...(said.idle_timeout_s === undefined ? [] : [['idle timeout', `${said.idle_timeout_s} s`] as const]),
    ...(said.compress === undefined ? [] : [['compression', said.compress ? 'gzip' : 'off'] as const]),
  ];
}

function requestsText(requests: Traffic['limits']['requests']): string {
  if (requests === null) return 'none';
  return `${requests.rate} for each client at each gateway, and ${requests.burst} more at once`;
}

function openText(connections: number | null): string {
  return connections === null ? 'none' : `${connections} open for each client at each gateway`;
}

function headersText(rules: HeaderRules): string {
  return (
    rules.map(({ name, value }) => (value === null ? `${name} removed` : `${name}: ${value}`)).join(', ') || 'none'
  );
}

function bodyText(bytes: number | null): string {
  return bytes === null ? 'any' : amount(bytes);
}

/** What is done with a request before it comes to a path. */
export function frontOf({ kind, maintenance, proxies, mesh_identity, counted, sign_in, waf }: Ingress): Fact[] {
  return [
    ...(waf === null ? [] : [['WAF policy', waf] as const]),
    ...(maintenance === null ? [] : [['maintenance', maintenanceText(maintenance)] as const]),
    ...(mesh_identity ? [['mesh identity', 'the service learns which node asks'] as const] : []),
    ...(kind === 'http' && !counted ? [['requests', 'not counted'] as const] : []),
    ...(sign_in === null ? [] : [['sign-in', signInText(sign_in)] as const]),
    ...(proxies === null ? [] : [['trusted proxies', `${proxies.networks.join(', ')} by ${proxies.header}`] as const]),
  ];
}

function signInText({ groups, people, nodes, open, session_s }: NonNullable<Ingress['sign_in']>): string {
  const who = [...groups.map((group) => `group ${group}`), ...people].join(', ') || 'everyone inside its scope';
  const without = [...(nodes ? ['nodes'] : []), ...open].join(', ');
  return `${who}, for ${session_s} s${without === '' ? '' : `; not for ${without}`}`;
}

function maintenanceText({ message, retry_after_s, allow }: NonNullable<Ingress['maintenance']>): string {
  const passing = allow.length === 0 ? '' : `; clients from ${allow.join(', ')} pass`;
  return `"${message.replaceAll('\n', ' ')}", try again after ${retry_after_s} s${passing}`;
}
