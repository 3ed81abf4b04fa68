import type { AnswerOf, PanelOperationId, PanelOperations } from '@meshwork/contract';
import { PANEL_WIRE_OPERATIONS } from '@meshwork/contract/wire';
import type {
  AnyRequest,
  PanelItemOf,
  PanelPagedOperationId,
  PanelPagesRequestOf,
  PanelRequestOf,
  RequestArguments,
} from './requests.ts';
import { type ClientOptions, type ClientResponse, Wire } from './wire.ts';

/** Calls what the panel serves by itself. What is passed on to the coordinator is asked of a `Client`. */
export interface PanelClient {
  /** Rejects with `ApiError` when the answer is no, and with `UnreachableError` when there is none. */
  call<Id extends PanelOperationId>(
    id: Id,
    ...request: RequestArguments<PanelRequestOf<Id>>
  ): Promise<ClientResponse<AnswerOf<PanelOperations[Id]>>>;
  /** Every item of a list, page after page. */
  pages<Id extends PanelPagedOperationId>(
    id: Id,
    ...request: RequestArguments<PanelPagesRequestOf<Id>>
  ): AsyncGenerator<PanelItemOf<Id>>;
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
