/** Headers that are set or removed on the way to the service, and on the way back. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { saysClientAddress } from '@meshwork/contract/vocabulary';
import { shownIdentity } from './client-headers.ts';
import { LUA_MODULE } from './lua/program.ts';
import { type Directive, directive, luaBlock, type Word, withVariables } from './nginx-text.ts';
import { type PassedBy, usualHeaders } from './proxy-defaults.ts';
import { wordFor } from './record-texts.ts';

type HeaderRule = AssignedRoute['traffic']['request_headers'][number];

/** The usual ones that say nothing else. */
const IS_ADDRESS = /^(?:x-forwarded-for|x-real-ip)$/i;

/** All of them: a location that has one inherits none. Empty: it has the usual ones. */
export function requestHeaders(
  by: PassedBy,
  { traffic: { request_headers } }: AssignedRoute,
  ingress: IngressAssignment,
): readonly Directive[] {
  const { proxies } = ingress;
  const shown = shownIdentity(ingress);
  // Whatever it said of the client is known by now, or is not true.
  const proven =
    proxies === null || !saysClientAddress(proxies.header)
      ? []
      : [[proxies.header, withVariables('$remote_addr')] as const];
  const saysMore = request_headers.length > 0 || shown.length > 0;
  if (!saysMore && proven.every(([name]) => IS_ADDRESS.test(name))) return [];
  const ruled = request_headers.map(({ name, value }) => {
    const isAuthority = by === 'grpc' && name.toLowerCase() === 'host';
    return [isAuthority ? ':authority' : name, wordFor(value ?? '')] as const;
  });
  const all = new Map<string, readonly [string, Word]>();
  for (const one of [...usualHeaders(by), ...proven, ...ruled, ...shown]) all.set(one[0].toLowerCase(), one);
  return [...all.values()].map(([name, value]) => directive(`${by}_set_header`, name, value));
}

/** What the service says under these names is dropped, and what is set stands in its place, whatever the status. */
export function responseHeaders(by: PassedBy, { traffic: { response_headers } }: AssignedRoute): readonly Directive[] {
  const hidden = lastOf(response_headers).map(({ name }) => directive(`${by}_hide_header`, name));
  return [...hidden, ...added(response_headers)];
}

/** What says something of an answer of the service, and would be wrong of one of nginx itself. */
const OF_ONE_ANSWER =
  /^(?:accept-ranges|age|allow|cache-control|content-.*|etag|expires|grpc-.*|last-modified|link|location|refresh|retry-after|set-cookie|www-authenticate)$/i;

/** On answers of nginx itself. A policy for contents (`Content-Security-Policy`) is of the site, and holds there too. */
export function answerHeaders({ traffic: { response_headers } }: AssignedRoute): readonly Directive[] {
  const isOfSite = ({ name }: HeaderRule) => /^content-security-policy/i.test(name) || !OF_ONE_ANSWER.test(name);
  return added(response_headers.filter(isOfSite));
}

function added(rules: readonly HeaderRule[]): readonly Directive[] {
  return lastOf(rules).flatMap(({ name, value }) => {
    if (name.toLowerCase() === 'server') return serverHeader(value ?? '');
    return value === null || value === '' ? [] : [directive('add_header', name, wordFor(value), 'always')];
  });
}

/** nginx adds its own, unless a program within it says otherwise. */
function serverHeader(value: string): readonly Directive[] {
  return [
    directive('set', withVariables('$mesh_server'), wordFor(value)),
    luaBlock('header_filter_by_lua_block', `${LUA_MODULE}.say_server()`),
  ];
}

/** Of two rules for one name, the last one counts. */
function lastOf(rules: readonly HeaderRule[]): readonly HeaderRule[] {
  return [...new Map(rules.map((rule) => [rule.name.toLowerCase(), rule])).values()];
}
