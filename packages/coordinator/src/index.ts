/**
 * The coordinator: the `/v1` service.
 *
 * `main.ts` wires it. `mesh/` is the model in memory and the one way to change it, `areas/` has a folder for each area
 * of the API with its use cases, `access/` says who may do what, `http/` is the edge and the only place that knows HTTP.
 */
export { ConfigError, type ConfigProblem } from '@meshwork/service';
export { type CoordinatorConfig, readConfig } from './config.ts';
export { type RunningCoordinator, type StartOptions, startCoordinator } from './main.ts';
