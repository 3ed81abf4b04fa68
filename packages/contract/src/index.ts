/**
 * What crosses a wire: the single source of the APIs that the coordinator and the panel serve and all other programs call.
 *
 * Start with one of `areas/`, where the records of an area and its operations stand together; `areas/areas.ts` lists them.
 * `operations.ts` is the table of every endpoint that follows from them. `panel/` is the same for the panel.
 * `error-table.ts` lists every error, `permissions.ts` and `roles.ts` who may do what.
 * `vocabulary.ts`, `wire/` and `answers/` are the parts without schemas: entry points of their own, for programs that only
 * call. Nothing here does I/O, and nothing here imports another of our packages.
 */
export * from './actor.ts';
export * from './areas/areas.ts';
export * from './error-table.ts';
export * from './errors.ts';
export * from './events.ts';
export * from './heartbeat/applied.ts';
export * from './heartbeat/challenge-probes.ts';
export * from './heartbeat/given-certificates-section.ts';
export * from './heartbeat/heartbeat.ts';
export * from './heartbeat/ingress-probes.ts';
export * from './heartbeat/ingress-section.ts';
export * from './heartbeat/observed.ts';
export * from './heartbeat/probes.ts';
export { RelayAccess, RelaySection, RelayServerSection, RelaysSection } from './heartbeat/relay-sections.ts';
export * from './heartbeat/report.ts';
export * from './heartbeat/section-contents.ts';
export * from './heartbeat/waf-section.ts';
export * from './maybe.ts';
export * from './named.ts';
export * from './node-fields.ts';
export { exampleProblem } from './openapi/example-problem.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './pages.ts';
export * from './panel/panel-operation.ts';
export * from './panel/panel-operations.ts';
export * from './panel/profile.ts';
export * from './panel/sessions.ts';
export { SignedIn, SignInState } from './panel/sign-in-state.ts';
export * from './panel/trail.ts';
export * from './panel/users.ts';
export * from './scope.ts';
export * from './timestamp.ts';
export * from './traffic-counts.ts';
export * from './upstream-reports.ts';
export * from './vocabulary.ts';
export * from './waf-parts.ts';
export * from './waf-reports.ts';
export * from './waf-rules.ts';
export * from './wire/wire-operation.ts';
