/**
 * The program on a node: reports the state of the host, receives the wanted one, and applies it.
 *
 * Start with `conversation/agent.ts`, the heartbeat loop, and read a heartbeat top-down in it. `view/held-view.ts` is what the
 * coordinator has sent (`view/held-records.ts`: about each peer), `conversation/reporter.ts` what it has received, `conversation/work.ts`
 * what is being done about it. `data-plane/data-plane.ts` says what an agent drives; `data-plane/dry-run-data-plane.ts` touches
 * nothing, and stands in for it in tests and in simulated fleets. `engines/engine.ts` says what an engine is.
 */
export {
  type AgentConfig,
  AgentConfigError,
  type HealthListen,
  LOG_LEVELS,
  type LogLevel,
  readAgentConfig,
} from './config.ts';
export { Agent, type AgentOptions } from './conversation/agent.ts';
export type { AgentObserver } from './conversation/agent-observer.ts';
export { signProof } from './conversation/proof.ts';
export type { Identity } from './conversation/session.ts';
export type { AgentStatus, Ending, EndReason } from './conversation/status.ts';
export { DRY_RUN_ABILITIES } from './data-plane/abilities.ts';
export type { DataPlane } from './data-plane/data-plane.ts';
export { DryRunDataPlane, type DryRunOptions } from './data-plane/dry-run-data-plane.ts';
export { removeDataPlane } from './data-plane/open-engines.ts';
export { mayAdminister, preflight } from './data-plane/preflight.ts';
export type { Readiness } from './health/readiness.ts';
export type { Lack } from './host/lack.ts';
export { type AgentLog, openLog } from './host/log.ts';
export { StateError } from './host/state-error.ts';
export { type Enrolled, type EnrollRequest, enroll } from './identity/enroll.ts';
export { type Joined, type JoinRequest, joinMesh, OtherMeshError } from './identity/join-mesh.ts';
export {
  identityKeyOf,
  type KeyPair,
  type NodeKeys,
  newIdentityKey,
  newNodeKeys,
  newWireguardKey,
  wireguardKeyOf,
} from './identity/keys.ts';
export {
  type EnrolledIdentity,
  isEnrolled,
  loadIdentity,
  type SavedIdentity,
  type Wish,
} from './identity/saved-identity.ts';
export { checkStateFolder, openStateFolder, STATE_FILES, type StateFolder } from './identity/state-folder.ts';
export { addressProblem, type Trust } from './identity/trust.ts';
export { AGENT_VERSION, type RunOptions, runAgent } from './main.ts';
export { DigestSum } from './view/digest-sum.ts';
export { PEER, PEER_TERMS, type RecordKind } from './view/held-records.ts';
export { HeldView } from './view/held-view.ts';
export { ReceivedView } from './view/received-view.ts';
export { LeanFetch } from './wire/lean-fetch.ts';
export { PIN_PATTERN, PinMismatchError, pinOf, presentedPin } from './wire/pins.ts';
