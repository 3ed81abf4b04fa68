/**
 * What the coordinator and the panel are both made of, though neither knows the other: reading a configuration
 * (`read-config.ts`), files that hold secrets (`private-file.ts`, `master-key.ts`, `sealing.ts`), logs and metrics (`observe/`), and the parts of an HTTP edge
 * (`http/`): problem documents, validation, rate limits, bodies, a shutdown that answers what it accepted.
 */
export type { Reading } from './audit-chain/reading.ts';
export { unrecordable } from './audit-chain/unrecordable.ts';
export { verifyChain } from './audit-chain/verify-chain.ts';
export { openEnvelope, sealEnvelope, sealedBy } from './envelope.ts';
export { FoldedRefusals } from './folded-refusals.ts';
export { answerBrokenConnection } from './http/broken-connection.ts';
export { Connections } from './http/connections.ts';
export { bodyLimitOf, ensureNoBody } from './http/empty-body.ts';
export { meetExpectation, routeExpectations } from './http/expectations.ts';
export { listenForScrapes, METRICS_TYPE } from './http/metrics-listener.ts';
export { COORDINATOR_PATHS, NotRouted, RoutedPaths } from './http/not-routed.ts';
export * from './http/parse-json.ts';
export {
  type ChosenForm,
  chooseForm,
  contentTag,
  type Encoding,
  type Forms,
  PreparedDocument,
  type ServedDocument,
} from './http/prepared-document.ts';
export { asMeshError, problemHeaders, problemOf } from './http/problems.ts';
export { addressPrefixOf, type Rate, RateLimit } from './http/rate-limit.ts';
export { etagOf, idempotencyKeyOf, ifMatchOf, wantedType } from './http/request-headers.ts';
export { requestIds } from './http/request-id.ts';
export { assumeJson, takeBodies } from './http/take-bodies.ts';
export { endsUnread } from './http/unread-body.ts';
export { type Validation, validationOf } from './http/validation.ts';
export { isLoopback, readTls, urlOf } from './listening.ts';
export {
  checkOf,
  type MasterKey,
  NotAMasterKey,
  readMasterKey,
  readMasterKeys,
  readOrMakeMasterKey,
} from './master-key.ts';
export { type Log, openLog } from './observe/log.ts';
export { Metrics } from './observe/metrics.ts';
export { Outbound, type OutboundAnswer, OutboundError, type OutboundRequest } from './outbound/outbound.ts';
export { pageById } from './page-by-id.ts';
export * from './private-file.ts';
export {
  ConfigError,
  type ConfigProblem,
  ConfigReader,
  type Environment,
  type Listen,
  type TlsFiles,
} from './read-config.ts';
export { memoryCheck, readinessOf } from './readiness.ts';
export { isSameBytes, isSameSecret } from './same-secret.ts';
export { seal, unseal } from './sealing.ts';
