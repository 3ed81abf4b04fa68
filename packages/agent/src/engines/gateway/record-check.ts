/**
 * What is written into the configuration means only itself. What is not like that is refused, and named. The coordinator refuses
 * the same, so that none of this is ever seen by an operator who uses it.
 */
import { parseNetwork } from '@meshwork/addresses';
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { CHALLENGE_TYPES, isGatewayHeader, isId } from '@meshwork/contract/vocabulary';
import { isGrpc } from './own-answers.ts';
import { checkSignIn } from './sign-in-facts.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Names and addresses. nginx would take one that begins with "~" for a pattern, and "*" for any name. */
export const HOSTNAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}(?:\\.${LABEL})*|[0-9a-f:]{2,39})$`);
const SERVICE = new RegExp(`^${LABEL}$`);
const PATH = /^(?=.{1,200}$)\/(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*)?$/;
/** A place on this host, or on another one. No second host after a slash. */
const PLACE_CHARACTERS = "[A-Za-z0-9._~!&'()*+,;=:@%/?-]*";
const PLACE = new RegExp(
  `^(?=.{1,1000}$)(?:https?://[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(?::[0-9]{1,5})?(?:/${PLACE_CHARACTERS})?|/(?!/)${PLACE_CHARACTERS})$`,
);
/** A DNS name, or a SPIFFE id. */
const CLIENT_NAME = new RegExp(
  `^(?=.{1,512}$)(?:${LABEL}(?:\\.${LABEL})*|spiffe://[a-z0-9._-]{1,255}(?:/[A-Za-z0-9._-]+)+)$`,
);
const RATE = /^[1-9][0-9]{0,5}\/[sm]$/;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const HEADER_VALUE = /^(?=.{0,4000}$)(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/;
const HOST_HEADER =
  /^(?=.{1,260}$)(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:.]{2,45}\])(?::[0-9]{1,5})?$/;
/** nginx has no room for longer ones there, and no setting for it. */
const MAX_GRPC_HEADER_NAME = 46;

type Refuse = (what: string, value: unknown) => void;

/** Names what cannot be written for an ingress. */
export function refusing(id: string): Refuse {
  return (what, value) => {
    throw new Error(`ingress ${JSON.stringify(id)} cannot be served: ${what} ${JSON.stringify(value)} is not one`);
  };
}

export function checkRecord(ingress: IngressAssignment): void {
  const { id, hostname, routes, redirects } = ingress;
  const refuse = refusing(id);
  if (!isId('ingress', id)) refuse('its id', id);
  if (!HOSTNAME.test(hostname)) refuse('its host name', hostname);
  for (const route of routes) checkRoute(route, refuse);
  for (const { path, to, status, keep } of redirects) {
    if (!PATH.test(path)) refuse('the path', path);
    if (!PLACE.test(to)) refuse('the place', to);
    if (![301, 302, 307, 308].includes(status)) refuse('the status', status);
    if (typeof keep !== 'boolean') refuse('the setting', keep);
  }
  checkFront(ingress, refuse);
  checkClients(ingress, refuse);
  checkIdentity(ingress, refuse);
  checkSignIn(ingress, refuse);
  const paths = [...routes, ...redirects].map(({ path }) => path);
  if (new Set(paths).size < paths.length) {
    throw new Error(`ingress ${id} cannot be served: it has two routes or redirects for one path`);
  }
}

function checkFront({ maintenance, proxies, routes }: IngressAssignment, refuse: Refuse): void {
  if (maintenance !== null) {
    checkNetworks(maintenance.allow, refuse);
    checkNumber(maintenance.retry_after_s, 86_400, refuse);
  }
  if (proxies === null) return;
  checkNetworks(proxies.networks, refuse);
  const isTooLong = routes.some((route) => isTooLongFor(route, proxies.header));
  if (!HEADER_NAME.test(proxies.header) || isTooLong) refuse('the header of proxies', proxies.header);
}

/** Where a certificate is required, there is no way around it. */
function checkClients({ tls }: IngressAssignment, refuse: Refuse): void {
  if (tls === null) return;
  const { challenge = CHALLENGE_TYPES[0], clients = 'none', client_names = [], redirect } = tls;
  if (!CHALLENGE_TYPES.includes(challenge)) refuse('the challenge', challenge);
  if (!['none', 'optional', 'required'].includes(clients)) refuse('the setting', clients);
  if (clients === 'required' && !redirect) refuse('plain HTTP beside required certificates', redirect);
  for (const name of client_names) if (!CLIENT_NAME.test(name)) refuse('the name of a client', name);
}

const SPIFFE_PREFIX = /^spiffe:\/\/[a-z0-9._-]{1,255}\/node\/$/;

function checkIdentity({ mesh_identity }: IngressAssignment, refuse: Refuse): void {
  const prefix = mesh_identity?.spiffe_prefix ?? null;
  if (prefix !== null && !SPIFFE_PREFIX.test(prefix)) refuse('what SPIFFE ids begin with', prefix);
}

function checkRoute(route: AssignedRoute, refuse: Refuse): void {
  const { path, pools, protocol, traffic } = route;
  if (!PATH.test(path)) refuse('the path', path);
  const [first] = pools;
  if (first !== undefined && !SERVICE.test(first.service)) refuse('the service', first.service);
  if (!['http', 'https', 'grpc', 'grpcs'].includes(protocol)) refuse('the protocol', protocol);
  const { networks, limits, request_headers, response_headers } = traffic;
  checkNetworks([...networks.allow, ...networks.deny], refuse);
  if (limits.requests !== null) {
    if (!RATE.test(limits.requests.rate)) refuse('the rate', limits.requests.rate);
    checkNumber(limits.requests.burst, 10_000, refuse);
  }
  checkNumber(limits.connections ?? 1, 65_535, refuse);
  if (!['address', 'identity'].includes(limits.by ?? 'address')) refuse('what limits go by', limits.by);
  checkNumber(traffic.max_body_bytes ?? 0, 2 ** 50, refuse);
  checkNumber(traffic.connect_timeout_s, 60, refuse);
  checkNumber(traffic.idle_timeout_s, 86_400, refuse);
  for (const { name, value } of [...request_headers, ...response_headers]) {
    if (!HEADER_NAME.test(name) || isGatewayHeader(name) || isTooLongFor(route, name)) refuse('the header', name);
    if (value !== null && !HEADER_VALUE.test(value)) refuse(`the value of ${name}`, value);
  }
  const host = request_headers.find(
    ({ name, value }) => name.toLowerCase() === 'host' && !HOST_HEADER.test(value ?? ''),
  );
  if (host !== undefined) refuse('the host name', host.value);
}

function isTooLongFor(route: AssignedRoute, header: string): boolean {
  return isGrpc(route) && header.length > MAX_GRPC_HEADER_NAME;
}

export function checkNetworks(networks: readonly string[], refuse: Refuse): void {
  for (const network of networks) if (parseNetwork(network) === undefined) refuse('the network', network);
}

function checkNumber(value: number, most: number, refuse: Refuse): void {
  if (!Number.isInteger(value) || value < 0 || value > most) refuse('the number', value);
}
