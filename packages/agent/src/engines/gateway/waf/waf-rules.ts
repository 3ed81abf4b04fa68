/** What the WAF adds to the configuration of nginx: nothing at all where no policy is used. */
import type { AssignedRoute, IngressAssignment, WafAssignment } from '@meshwork/contract';
import { LUA_MODULE } from '../lua/program.ts';
import { block, type Directive, directive, type Expression, joined, luaBlock, withVariables } from '../nginx-text.ts';
import { grpcUnavailable, isGrpc } from '../own-answers.ts';
import { membership, memberVariable } from '../traffic-rules.ts';
import { transactionId } from './transaction-id.ts';
import { WAF_MODULE, type WafInput } from './waf-input.ts';

export function wafModules(input: WafInput | undefined): readonly string[] {
  return input?.rules === undefined ? [] : [WAF_MODULE];
}

/** Once for all servers: the engine would keep a copy for each of them otherwise, and leave it behind with each reload. */
export function sharedWafRules(input: WafInput | undefined): readonly Directive[] {
  if (input?.rules === undefined) return [];
  return [directive('modsecurity_rules_file', input.rules), ...flagDefinitions([...input.policies.values()])];
}

/** What the flags of the transaction's id rely on. */
export function flagDefinitions(policies: readonly WafAssignment[]): readonly Directive[] {
  const lists = policies.flatMap(({ rules: { clients } }) => [clients.trusted, clients.denied]);
  const percents = policies.map(({ rules }) => rules.sampling_percent).filter((percent) => percent < 100);
  return [
    ...[...new Map(lists.filter(({ length }) => length > 0).map((list) => [list.join(' '), list])).values()].map(
      (list) => membership(list, 'waf'),
    ),
    ...[...new Set(percents)].map((percent) =>
      block(
        'split_clients',
        [withVariables('$request_id'), joined(withVariables('$mesh_sampled_'), percent)],
        [directive(`${percent}%`, 1), directive('*', 0)],
      ),
    ),
  ];
}

/** In a location through which requests get to a service. */
export function inspecting(
  { id, hostname }: Pick<IngressAssignment, 'id' | 'hostname'>,
  path: string,
  { id: policy, rules }: WafAssignment,
): readonly Directive[] {
  const { mode, paranoia, clients, sampling_percent: percent } = rules;
  if (mode === 'off') return [];
  const inList = (list: readonly string[]): Expression | '' => (list.length === 0 ? '' : memberVariable(list, 'waf'));
  const named = transactionId({
    policy,
    mode,
    block: paranoia.block,
    hostname,
    ingress: id,
    path,
    flags: [
      percent < 100 ? joined(withVariables('${mesh_sampled_'), percent, withVariables('}')) : 1,
      inList(clients.trusted),
      inList(clients.denied),
    ],
  });
  return [
    directive('modsecurity', 'on'),
    directive('modsecurity_transaction_id', named),
    directive('error_log', 'stderr', 'crit'), // otherwise each refused request is a complaint, with all of its query
  ];
}

/**
 * In the same location, before the engine, and behind it. When a body breaks off, or is longer than it says (HTTP/2), while the engine itself
 * waits for it, the request never ends, and neither does its worker. And its log gets a record after each request.
 */
export const AROUND_ENGINE: readonly Directive[] = [
  luaBlock('rewrite_by_lua_block', 'ngx.req.read_body()'),
  luaBlock('log_by_lua_block', `${LUA_MODULE}.log(); ${LUA_MODULE}.bounded_log.keep_short()`),
];

/** The answers that nginx itself gives: a location for them would lose what the engine has found. */
export function ownAnswerFilters(route: AssignedRoute): readonly Directive[] {
  const kind = isGrpc(route) ? 'grpc' : 'text';
  return [
    luaBlock('header_filter_by_lua_block', `${LUA_MODULE}.own_answers.head("${kind}")`),
    luaBlock('body_filter_by_lua_block', `${LUA_MODULE}.own_answers.body()`),
  ];
}

const UNINSPECTED = 'The gateway cannot inspect requests for this service now.';

/** In place of all that a route has: it is not served without its policy. */
export function refusing(route: AssignedRoute): readonly Directive[] {
  if (isGrpc(route)) return grpcUnavailable(UNINSPECTED);
  return [
    directive('default_type', 'text/plain'),
    directive('add_header', 'Cache-Control', 'no-store', 'always'),
    directive('return', 503, UNINSPECTED),
  ];
}

/** Of a route and its policy: whichever is less. */
export function withBodyLimit(route: AssignedRoute, { rules }: WafAssignment): AssignedRoute {
  const max = route.traffic.max_body_bytes;
  const limit = rules.requests.body_bytes;
  return { ...route, traffic: { ...route.traffic, max_body_bytes: max === null ? limit : Math.min(max, limit) } };
}
