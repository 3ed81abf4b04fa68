/**
 * A mesh on one machine, for tests, for measuring and for showing. Today it is the simulated fleet: any number of nodes in
 * one process, each of them the real agent with its real heartbeats over a data plane that touches nothing.
 *
 * Start with `fleet.ts`, what can be done with a fleet, then `simulated-node.ts`. `run-fleet.ts` is all of `mesh fleet`,
 * and `demo/run-demo.ts` what `mesh demo` shows.
 */
export type { ChurnRates } from './churn.ts';
export { DEMO_PACE } from './demo/build-demo.ts';
export { DEMO_CAST, FEWEST_DEMO_NODES } from './demo/roster.ts';
export { type RunDemoIo, type RunDemoOptions, runDemo } from './demo/run-demo.ts';
export { FAULTS, type Fault } from './faulty-data-plane.ts';
export { Fleet, type FleetOptions, startFleet } from './fleet.ts';
export type { FleetStats } from './fleet-stats.ts';
export { type FleetIdentity, loadIdentities, saveIdentities } from './identities.ts';
export * from './namespaces/index.ts';
export { ProgressBar, type Screen, StatusLine } from './progress.ts';
export { type RunFleetIo, type RunFleetOptions, runFleet } from './run-fleet.ts';
export type { SimulatedNode } from './simulated-node.ts';
