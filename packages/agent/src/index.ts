/**
 * The program on a node: says what is true there, hears what should be, and makes it so.
 *
 * Start with `agent.ts`, the heartbeat loop, and read a heartbeat top-down in it. `held-view.ts` is what the coordinator has
 * told (`held-records.ts`: about each peer), `reporter.ts` what it has heard, `work.ts` what is being done about it.
 * `data-plane.ts` says what an agent drives; `dry-run-data-plane.ts` touches nothing, and stands in for it in tests and in
 * simulated fleets.
 */
export { Agent, type AgentObserver, type AgentOptions } from './agent.ts';
export type { DataPlane } from './data-plane.ts';
export { DryRunDataPlane, type DryRunOptions } from './dry-run-data-plane.ts';
export { type Enrolled, type EnrollRequest, enroll } from './enroll.ts';
export {
  type Held,
  type HeldRecords,
  type Kept,
  KeptRecords,
  newKept,
  PEER,
  PEER_TERMS,
  RecordDigests,
  type RecordKind,
} from './held-records.ts';
export { HeldView, type View } from './held-view.ts';
export {
  identityKeyOf,
  type KeyPair,
  type NodeKeys,
  newIdentityKey,
  newNodeKeys,
  newWireguardKey,
  wireguardKeyOf,
} from './keys.ts';
export { signProof } from './proof.ts';
export type { Identity } from './session.ts';
export type { AgentStatus, Ending, EndReason } from './status.ts';
