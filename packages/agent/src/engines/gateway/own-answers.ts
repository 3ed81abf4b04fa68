/**
 * What nginx itself answers on a route. A client of gRPC looks for its status in a header of an answer with 200, and knows no other
 * way to be refused.
 */
import type { AssignedRoute, IngressAssignment } from '@meshwork/contract';
import { answerHeaders } from './header-rules.ts';
import { block, type Directive, directive, type Word, withVariables } from './nginx-text.ts';

interface OwnAnswer {
  readonly text: Word;
  /** As gRPC numbers it. */
  readonly grpc: number;
  readonly more?: readonly Directive[];
}

const UNAVAILABLE = 14;

const ANSWERS = {
  400: { text: 'The gateway does not understand the request.', grpc: 13 },
  403: { text: 'This service is not open to your network.', grpc: 7 },
  408: { text: 'The request did not come in time.', grpc: 4 },
  413: { text: 'The body of the request is larger than this service takes.', grpc: 8 },
  429: {
    text: 'You have sent too many requests. Try again later.',
    grpc: 8,
    more: [directive('add_header', 'Retry-After', withVariables('$mesh_retry_after'), 'always')],
  },
  500: { text: 'The gateway failed.', grpc: 13 },
  502: {
    text: withVariables('Service $mesh_service did not answer as it should.'),
    grpc: UNAVAILABLE,
    // Without a node to ask, and for what a drain refuses that late, nginx itself comes here with 502.
    more: [
      unsent('absent', directive('return', 503, withVariables('No node of service $mesh_service answers.'))),
      unsent('draining', directive('return', 503)),
    ],
  },
  503: {
    text: 'This gateway takes no new connections for this host name.',
    grpc: UNAVAILABLE,
    more: [directive('keepalive_timeout', 0), directive('add_header', 'Retry-After', 1, 'always')],
  },
  504: { text: withVariables('Service $mesh_service did not answer in time.'), grpc: 4 },
} as const satisfies Readonly<Record<number, OwnAnswer>>;

/** Why a request was sent to no node, as `lua/gateway.ts` found. */
function unsent(why: 'absent' | 'draining', then: Directive): Directive {
  return block('if', [withVariables('($mesh_unsent'), '=', why, ')'], [then]);
}

type OwnStatus = keyof typeof ANSWERS;

const ALL = Object.keys(ANSWERS).map(Number) as OwnStatus[];

export function isGrpc({ protocol }: Pick<AssignedRoute, 'protocol'>): boolean {
  return protocol === 'grpc' || protocol === 'grpcs';
}

/** All that nginx is asked to answer in words. What a service answers is passed on as it is. */
function statusesOf(route: AssignedRoute): readonly OwnStatus[] {
  if (isGrpc(route)) return ALL;
  const { networks, limits, max_body_bytes } = route.traffic;
  return [
    ...(networks.allow.length + networks.deny.length > 0 ? [403 as const] : []),
    ...(max_body_bytes === null ? [] : [413 as const]),
    ...(limits.requests === null && limits.connections === null ? [] : [429 as const]),
    502,
    503,
    504,
  ];
}

/** Where the answers of a route are. Routes share them, unless one has headers of its own. */
function placeOf(route: AssignedRoute, index: number, status: OwnStatus): string {
  const own = route.traffic.response_headers.length === 0 ? '' : `_${index}`;
  return `@${isGrpc(route) ? 'grpc' : 'answer'}_${status}${own}`;
}

/** Of one location. It inherits none, once it has one of its own. */
export function errorPages(route: AssignedRoute, index: number): readonly Directive[] {
  return statusesOf(route).map((status) => errorPage(route, index, status));
}

function errorPage(route: AssignedRoute, index: number, status: OwnStatus): Directive {
  return directive('error_page', status, '=', placeOf(route, index, status));
}

/** For what a drain refuses that has no route: redirects. */
export const REFUSED = '@answer_503';

export function answerLocations({ routes, redirects }: IngressAssignment): readonly Directive[] {
  const places = new Map<string, readonly Directive[]>();
  if (redirects.length > 0) places.set(REFUSED, inWords(503, []));
  for (const [index, route] of routes.entries()) {
    for (const status of statusesOf(route)) {
      const refused = status === 502 ? [errorPage(route, index, 503)] : [];
      places.set(placeOf(route, index, status), [...refused, ...answer(route, status)]);
    }
  }
  return [...places].map(([place, inside]) => block('location', [place], inside));
}

function answer(route: AssignedRoute, status: OwnStatus): readonly Directive[] {
  const headers = answerHeaders(route);
  if (!isGrpc(route)) return inWords(status, headers);
  const { text, grpc }: OwnAnswer = ANSWERS[status];
  return [...headers, ...grpcAnswer(grpc, text)];
}

function inWords(status: OwnStatus, headers: readonly Directive[]): readonly Directive[] {
  const { text, more = [] }: OwnAnswer = ANSWERS[status];
  return plainAnswer(status, text, [...headers, ...more]);
}

export function plainAnswer(status: number, text: Word, more: readonly Directive[] = []): readonly Directive[] {
  return [
    directive('default_type', 'text/plain'),
    directive('add_header', 'Cache-Control', 'no-store', 'always'),
    ...more,
    directive('return', status, text),
  ];
}

/** Without a body, so that the headers are all of it: gRPC takes them for trailers then. `message`: percent-encoded, as gRPC has it. */
export function grpcAnswer(status: number, message: Word): readonly Directive[] {
  return [
    directive('default_type', 'application/grpc'),
    directive('add_header', 'grpc-status', status, 'always'),
    directive('add_header', 'grpc-message', message, 'always'),
    directive('return', 200, ''),
  ];
}

export function grpcUnavailable(message: Word): readonly Directive[] {
  return grpcAnswer(UNAVAILABLE, message);
}
