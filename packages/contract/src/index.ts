/**
 * What crosses a wire: the one truth of the APIs that the coordinator and the panel serve and everybody else calls.
 *
 * Start with `operations.ts`, the table of every endpoint, then one of `areas/`, where the records of an area and its
 * operations stand together. `panel/` is the same for the panel.
 * `errors.ts` lists every way to say no, `permissions.ts` and `roles.ts` who may do what.
 * Nothing here does I/O, and nothing here imports another of our packages.
 */
export * from './actor.ts';
export * from './areas/acls.ts';
export * from './areas/agents.ts';
export * from './areas/audit.ts';
export * from './areas/delegations.ts';
export * from './areas/events.ts';
export * from './areas/explanation.ts';
export * from './areas/firewall.ts';
export { NodeRule } from './areas/firewall-rule.ts';
export * from './areas/ingress.ts';
export * from './areas/meta.ts';
export * from './areas/node-record.ts';
export * from './areas/nodes.ts';
export * from './areas/operations.ts';
export * from './areas/overview.ts';
export * from './areas/ownership-check.ts';
export * from './areas/peer-graph.ts';
export * from './areas/peers.ts';
export * from './areas/policy-document.ts';
export * from './areas/posture.ts';
export * from './areas/relays.ts';
export * from './areas/roles.ts';
export * from './areas/self.ts';
export * from './areas/settings.ts';
export * from './areas/tokens.ts';
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
