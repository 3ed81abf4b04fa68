import { type AnswerOf, OPERATIONS, type OperationId, type Operations } from '@meshwork/contract';
import type {
  ItemOf,
  LinesOperationId,
  LinesRequestOf,
  PagedOperationId,
  PagesRequestOf,
  RequestArguments,
  RequestOf,
} from './requests.ts';
import { type ClientOptions, type Reply, Wire } from './wire.ts';

export interface Client {
  /** Rejects with `ApiError` when the answer is no, and with `UnreachableError` when there is none. */
  call<Id extends OperationId>(
    id: Id,
    ...request: RequestArguments<RequestOf<Id>>
  ): Promise<Reply<AnswerOf<Operations[Id]>>>;
  /** Every item of a list, page after page. */
  pages<Id extends PagedOperationId>(
    id: Id,
    ...request: RequestArguments<PagesRequestOf<Id>>
  ): AsyncGenerator<ItemOf<Id>>;
  /** Every item in one stream, which is never resumed: when it breaks, so does the iteration. */
  lines<Id extends LinesOperationId>(
    id: Id,
    ...request: RequestArguments<LinesRequestOf<Id>>
  ): AsyncGenerator<ItemOf<Id>>;
}

export function createClient(options: ClientOptions): Client {
  const wire = new Wire(options);
  // What comes back is what the table says, which only the types above can tell the compiler.
  return {
    call: async (id, ...[request]) => (await wire.call(OPERATIONS[id], request ?? {})) as never,
    pages: (id, ...[request]) => wire.pages(OPERATIONS[id], request ?? {}) as never,
    lines: (id, ...[request]) => wire.lines(OPERATIONS[id], request ?? {}) as never,
  };
}
