/**
 * The panel: the `/api/v1` service for people, and the dashboard.
 *
 * `main.ts` wires it. `ledger/` is what it knows, in memory and on disk; `sign-in/` how people prove who they are, `sessions/`
 * what a browser's cookie stands for, `people/` who they are; `coordinator/` passes on what they do to the mesh; `http/` is the
 * edge and the only place that knows HTTP.
 */
export { ConfigError, type ConfigProblem } from '@meshwork/service';
export { type PanelConfig, readConfig } from './config.ts';
export { type RunningPanel, type StartOptions, startPanel } from './main.ts';
