/**
 * Calls the API that `contract` describes. Everything here follows from the operation table: there is no code for any
 * single operation, so a new one can be called as soon as it is in the table.
 *
 * Start with `client.ts`, the interface, then `wire.ts`: what a call does, in order. `requests.ts` has the
 * types that make the compiler ask for exactly what an operation needs, `retry.ts` the rules of when to try again,
 * `events.ts` how a stream of events goes on across connections. `line-diff.ts` is an entry of its own, for programs that
 * show two versions of a text.
 */
export { ApiError } from './api-error.ts';
export { type Client, createClient } from './client.ts';
export type { StreamedEvent } from './events.ts';
export { splitLines } from './lines.ts';
export { createPanelClient, type PanelClient } from './panel-client.ts';
export type {
  ItemOf,
  PagedOperationId,
  PanelRequestOf,
  RequestOf,
} from './requests.ts';
export { UnreachableError, type UnreachableReason } from './unreachable-error.ts';
export type { ClientOptions, ClientResponse } from './wire.ts';
