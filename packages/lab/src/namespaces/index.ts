/**
 * A real mesh on one machine: every node in a network namespace of its own, with the real agent, real WireGuard and a real
 * packet filter, and a network between them whose links can be cut.
 *
 * Start with `lab.ts`, what can be done with a lab. `plan/` decides every name and address, `network/` makes the network,
 * `node/` runs programs in it, `keeper/` is the process that a lab lives with and its way to the coordinator, and `life/` sees
 * to it that nothing is left on the machine, however a lab ends.
 */
export { DOOR_URL } from './keeper/door-addresses.ts';
export { Lab, type LabOptions } from './lab.ts';
export { LabError, type LabFault, NoSuchLab } from './lab-error.ts';
export type { Cut } from './network/cuts.ts';
export { ProgramFailed } from './network/run.ts';
export type { AgentProcess } from './node/agent-process.ts';
export type { LabNode } from './node/lab-node.ts';
export type { Place } from './node/place.ts';
export type { LabPlan, PlannedNode } from './plan/lab-plan.ts';
export {
  COORDINATOR,
  type Egress,
  type LabSpec,
  type NodeSpec,
  type SiteFamilies,
  type SiteSpec,
  type SubnetSpec,
} from './plan/lab-spec.ts';
export type { NatKind } from './plan/nat-kinds.ts';
export { approveSubnets, labNodes, untilHeard } from './settle-in.ts';
