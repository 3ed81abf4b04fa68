/** The paths of a host name: what is asked of a request there, in which order, and where it goes. */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { challengePlace } from './challenges/challenge-place.ts';
import { clientRules, refusalLocations } from './client-certificates.ts';
import { asksForCertificates } from './client-headers.ts';
import { drainFile } from './gateway-files.ts';
import { LUA_MODULE } from './lua/program.ts';
import { maintenanceLocations, maintenanceRules } from './maintenance.ts';
import type { NginxInput } from './nginx-input.ts';
import { block, type Directive, directive, luaBlock, withVariables } from './nginx-text.ts';
import { answerLocations, errorPages, REFUSED } from './own-answers.ts';
import { passing, routeVariables } from './passing.ts';
import { proofPlace } from './proof-place.ts';
import { redirecting } from './redirects.ts';
import { countedRoute } from './traffic/access-log.ts';
import { accessCode, bodyRules, limitRules, networkRules } from './traffic-rules.ts';
import { identityRules, isFronted } from './visitor-identity.ts';
import { inspectedBy } from './waf/waf-input.ts';
import { AROUND_ENGINE, inspecting, ownAnswerFilters, refusing, withBodyLimit } from './waf/waf-rules.ts';

/** No answer of a service: those are passed on as they are. */
const DRAINING = 418;
/** For the words of the answer. */
const OUTSIDE = directive('set', withVariables('$mesh_outside'), 1);
/** Clients leave with it. */
const LAST_ANSWER = directive('keepalive_timeout', 0);

/** To look for a file takes as long as much of the rest of a request. */
export const DRAIN_FILES: readonly Directive[] = [
  directive('open_file_cache', 'max=4096', 'inactive=60s'),
  directive('open_file_cache_valid', '1s'),
  directive('open_file_cache_errors', 'on'),
];

export function locations(ingress: IngressAssignment, input: NginxInput): readonly Directive[] {
  return [
    proofPlace(ingress),
    ...challengePlace(ingress),
    ...ingress.routes.flatMap((route, index) => routeLocations(ingress, index, route, input)),
    ...ingress.redirects.flatMap((redirect, index) => redirectLocations(ingress, index, redirect, input)),
    ...answerLocations(ingress),
    ...maintenanceLocations(ingress, input),
    ...refusalLocations(ingress),
    ...signInLocations(ingress),
    ...(hasRoot(ingress) ? [] : [block('location', ['/'], [directive('return', 404)])]),
  ];
}

function hasRoot({ routes, redirects }: IngressAssignment): boolean {
  return [...routes, ...redirects].some(({ path }) => path === '/');
}

function routeLocations(
  ingress: IngressAssignment,
  index: number,
  given: AssignedRoute,
  input: NginxInput,
): readonly Directive[] {
  const by = inspectedBy(given, input.waf);
  if (by.kind === 'refused') {
    const known = [
      ...countedRoute(ingress, given.path),
      ...routeVariables(ingress.id, index, given),
      ...limitRules(ingress.id, given),
    ];
    return matching(given.path, [...known, ...refusing(given)]);
  }
  const route = by.kind === 'policy' ? withBodyLimit(given, by.policy) : given;
  const { traffic, path } = route;
  const drain = `@drain_${index}`;
  const refuses = traffic.max_body_bytes === 0 ? (['refuse_body'] as const) : [];
  const passed = isFronted(ingress, route) ? `@passed_${index}` : undefined;
  const identifies = passed === undefined ? identifying(ingress) : [];
  const isInspected = by.kind === 'policy';
  const certified = passed === undefined ? clientRules(ingress) : [];
  const pages = [...certified, ...(isInspected ? ownAnswerFilters(route) : errorPages(route, index))];
  const inspected = isInspected ? [...inspecting(ingress, path, by.policy), ...AROUND_ENGINE] : [];
  const outside = isInspected ? [OUTSIDE] : [];
  const counted = [
    ...inspected,
    ...bodyRules(traffic),
    ...limitRules(ingress.id, route),
    ...passing(ingress, index, route, input),
  ];
  const usual = [
    ...countedRoute(ingress, path),
    ...routeVariables(ingress.id, index, route),
    ...(passed === undefined ? entering(ingress, route, outside) : []),
    ...leavingWhileDraining(ingress, input, drain),
    ...pages,
    ...accessCode(...identifies, ...refuses),
    ...counted,
  ];
  // Who comes here has passed what stands before the drain, and was not counted yet.
  const draining = [LAST_ANSWER, ...pages, ...accessCode(...identifies, 'drain', ...refuses), ...counted];
  const inside = [block('location', [drain], draining)];
  if (passed === undefined) return [...matching(path, usual), ...inside];
  // nginx compares the size of a body only where a request comes in.
  const front = [
    ...countedRoute(ingress, path),
    ...routeVariables(ingress.id, index, route),
    ...entering(ingress, route),
    ...clientRules(ingress),
    ...errorPages(route, index),
    ...bodyRules(traffic),
    ...identityRules(ingress, passed, input),
    ...accessCode(...identifying(ingress), ingress.sign_in === undefined ? 'identity.admit' : 'identity.enter'),
  ];
  return [...matching(path, front), block('location', [passed], usual), ...inside];
}

/** What a request is asked first. */
function entering(ingress: IngressAssignment, route: AssignedRoute, before: readonly Directive[] = []) {
  return [...networkRules(route.traffic, before), ...maintenanceRules(ingress, route)];
}

/** Of the gateway itself. No path of a route begins with a dot. */
function signInLocations(ingress: IngressAssignment): readonly Directive[] {
  if (ingress.sign_in === undefined) return [];
  const place = (path: string, call: string) =>
    block(
      'location',
      ['=', path],
      [
        directive('set', withVariables('$mesh_route'), `${ingress.id}/-`),
        directive('absolute_redirect', 'off'), // only the client knows by which port it came
        ...clientRules(ingress),
        ...accessCode(...identifying(ingress)),
        luaBlock('content_by_lua_block', `${LUA_MODULE}.${call}()`),
      ],
    );
  return [
    place('/.meshwork/sign-in', 'sign_in.finish'),
    place('/.meshwork/sign-out', 'sign_in.leave'),
    block('location', ['^~', '/.meshwork/'], [directive('return', 404)]),
  ];
}

function redirectLocations(
  ingress: IngressAssignment,
  index: number,
  redirect: IngressAssignment['redirects'][number],
  input: NginxInput,
): readonly Directive[] {
  const drain = `@drain_redirect_${index}`;
  const sent = [...clientRules(ingress), ...redirecting(ingress.id, redirect)];
  const identifies = identifying(ingress);
  const refused = directive('error_page', 503, '=', REFUSED);
  return [
    ...matching(redirect.path, [
      ...leavingWhileDraining(ingress, input, drain),
      refused,
      ...accessCode(...identifies),
      ...sent,
    ]),
    block('location', [drain], [LAST_ANSWER, refused, ...accessCode(...identifies, 'drain'), ...sent]),
  ];
}

function identifying(ingress: IngressAssignment): readonly 'identify'[] {
  return asksForCertificates(ingress) ? ['identify'] : [];
}

/** The path itself, and what is below it. The longest counts. */
function matching(path: string, inside: readonly Directive[]): readonly Directive[] {
  if (path === '/') return [block('location', ['/'], inside)];
  return [block('location', ['=', path], inside), block('location', ['^~', `${path}/`], inside)];
}

/**
 * A drain is a file: it needs no reload. nginx looks for it once in a second (`DRAIN_FILES`). What a drain refuses is refused at once
 * all the same, by Lua.
 */
function leavingWhileDraining({ id }: IngressAssignment, { folder }: NginxInput, drain: string): readonly Directive[] {
  return [
    block('if', ['(-f', `${folder}/${drainFile(id)})`], [directive('return', DRAINING)]),
    directive('error_page', DRAINING, '=', drain),
  ];
}
