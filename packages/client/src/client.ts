import type { AnswerOf, OperationId, Operations } from '@meshwork/contract';
import { WIRE_OPERATIONS } from '@meshwork/contract/wire';
import type { EventsOptions, StreamedEvent } from './events.ts';
import type {
  AnyRequest,
  CallArguments,
  EventsQuery,
  ItemOf,
  LinesArguments,
  LinesOperationId,
  PagedOperationId,
  PagesArguments,
  TextOperationId,
} from './requests.ts';
import { type ClientOptions, type ClientResponse, Wire } from './wire.ts';

export interface Client {
  /** Rejects with `ApiError` for an error response, and with `UnreachableError` without a response. */
  call<Id extends OperationId>(
    id: Id,
    ...request: CallArguments<Id>
  ): Promise<ClientResponse<AnswerOf<Operations[Id]>>>;
  /** The other form of an answer, unread: a policy as it was written, with its comments. */
  text<Id extends TextOperationId>(id: Id, ...request: CallArguments<Id>): Promise<ClientResponse<string>>;
  /** Every item of a list, page after page. */
  pages<Id extends PagedOperationId>(id: Id, ...request: PagesArguments<Id>): AsyncGenerator<ItemOf<Id>>;
  /** Every item in one stream, which is never resumed: when it breaks, so does the iteration. */
  lines<Id extends LinesOperationId>(id: Id, ...request: LinesArguments<Id>): AsyncGenerator<ItemOf<Id>>;
  /** Events as they happen, without an end: a broken connection is resumed where it broke. */
  events(query?: EventsQuery, options?: EventsOptions): AsyncGenerator<StreamedEvent>;
}

export function createClient(options: ClientOptions): Client {
  const wire = new Wire(options);
  // What goes in and comes back is what the table says, which only the types above can tell the compiler. Here the union
  // of all that any operation could ask for would be too large for it.
  const loose = {
    call: (id: OperationId, request: AnyRequest = {}) => wire.call(WIRE_OPERATIONS[id], request),
    text: (id: OperationId, request: AnyRequest = {}) => wire.text(WIRE_OPERATIONS[id], request),
    pages: (id: OperationId, request: AnyRequest = {}) => wire.pages(WIRE_OPERATIONS[id], request),
    lines: (id: OperationId, request: AnyRequest = {}) => wire.lines(WIRE_OPERATIONS[id], request),
    events: (query: EventsQuery = {}, options: EventsOptions = {}) =>
      wire.events(WIRE_OPERATIONS['events.stream'], { ...options, query }),
  };
  return loose as unknown as Client;
}
