/**
 * The panel: the `/api/v1` service for people, and the dashboard.
 *
 * `main.ts` wires it. `ledger/` has its documents, in memory and on disk; `areas/` the use cases, signing in among them; `callers/`,
 * `sessions/` and `users/` who calls; `coordinator/` is the panel as a client of the coordinator; `http/` is the edge and the only
 * place that knows HTTP.
 */
export { ConfigError, type ConfigProblem } from '@meshwork/service';
export { type PanelConfig, readConfig } from './config.ts';
export { type RunningPanel, type StartOptions, startPanel } from './main.ts';
