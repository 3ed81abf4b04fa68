/**
 * What crosses a wire: the one truth of the APIs that the coordinator and the panel serve and everybody else calls.
 *
 * Start with `operations.ts`, the table of every endpoint, then one of `areas/`, where the records of an area and its
 * operations stand together. `panel/` is the same for the panel.
 * `errors.ts` lists every way to say no, `permissions.ts` and `roles.ts` who may do what.
 * Nothing here does I/O, and nothing here imports another of our packages.
 */
export * from './actor.ts';
export * from './areas/acls/index.ts';
export * from './areas/agents/index.ts';
export * from './areas/audit/index.ts';
export * from './areas/delegations/index.ts';
export * from './areas/events/index.ts';
export * from './areas/acls/explanation.ts';
export * from './areas/firewall/index.ts';
export { NodeRule } from './areas/firewall/firewall-rule.ts';
export * from './areas/ingress/index.ts';
export * from './areas/meta/index.ts';
export * from './areas/nodes/node-record.ts';
export * from './areas/nodes/index.ts';
export * from './areas/operations/index.ts';
export * from './areas/overview/index.ts';
export * from './areas/acls/ownership-check.ts';
export * from './areas/peers/peer-graph.ts';
export * from './areas/peers/links.ts';
export * from './areas/acls/policy-document.ts';
export * from './areas/nodes/posture.ts';
export * from './areas/relays/index.ts';
export * from './areas/roles/index.ts';
export * from './areas/self/index.ts';
export * from './areas/settings/index.ts';
export * from './areas/tokens/index.ts';
export * from './boundary.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './heartbeat/heartbeat.ts';
export * from './heartbeat/report.ts';
export * from './heartbeat/section-contents.ts';
export * from './heartbeat/sections.ts';
export * from './ids.ts';
export * from './maybe.ts';
export * from './named.ts';
export * from './node-fields.ts';
export * from './on-the-node.ts';
export { exampleProblem } from './openapi/example-problem.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './pages.ts';
export * from './panel/panel-operation.ts';
export * from './panel/panel-operations.ts';
export * from './panel/profile.ts';
export * from './panel/sessions.ts';
export { SHORTEST_PASSWORD, SignedIn, SignInState } from './panel/sign-in-state.ts';
export * from './panel/trail.ts';
export * from './panel/users.ts';
export * from './permissions.ts';
export * from './roles.ts';
export * from './scope.ts';
export * from './time.ts';
export * from './visible-text.ts';
