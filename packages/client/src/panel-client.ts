import type { AnswerOf, PanelOperationId, PanelOperations } from '@meshwork/contract';
import { PANEL_WIRE_OPERATIONS } from '@meshwork/contract/wire';
import type {
  AnyRequest,
  PanelCallArguments,
  PanelItemOf,
  PanelPagedOperationId,
  PanelPagesArguments,
} from './requests.ts';
import { type ClientOptions, type ClientResponse, Wire } from './wire.ts';

/** Calls the panel's own operations. Those that it forwards to the coordinator have a `Client`. */
export interface PanelClient {
  /** Rejects with `ApiError` for an error response, and with `UnreachableError` without a response. */
  call<Id extends PanelOperationId>(
    id: Id,
    ...request: PanelCallArguments<Id>
  ): Promise<ClientResponse<AnswerOf<PanelOperations[Id]>>>;
  /** Every item of a list, page after page. */
  pages<Id extends PanelPagedOperationId>(id: Id, ...request: PanelPagesArguments<Id>): AsyncGenerator<PanelItemOf<Id>>;
}

export function createPanelClient(options: ClientOptions): PanelClient {
  const wire = new Wire(options);
  // As with the coordinator's client, only the types above know which request and answer belong together.
  const loose = {
    call: (id: PanelOperationId, request: AnyRequest = {}) => wire.call(PANEL_WIRE_OPERATIONS[id], request),
    pages: (id: PanelOperationId, request: AnyRequest = {}) => wire.pages(PANEL_WIRE_OPERATIONS[id], request),
  };
  return loose as unknown as PanelClient;
}
