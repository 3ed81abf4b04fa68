/**
 * How pages read. One hook for an answer, one for a list with more pages; both know what they show by the operation's id, so
 * that the event stream (`live/`) and actions can say which of it is no longer true.
 */
import type { ClientResponse, ItemOf, PagedOperationId, PanelRequestOf, RequestOf } from '@meshwork/client';
import type { AnswerOf, OperationId, Operations, PanelOperationId, PanelOperations } from '@meshwork/contract';
import {
  keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { coordinator, panel } from './clients.ts';

interface ReadOptions {
  /** False: do not ask yet, because something is missing or not permitted. */
  readonly enabled?: boolean;
  /** True: show the last answer while the next one loads. For filters. */
  readonly keep?: boolean;
  /** Ask again this often. For what changes without an event. */
  readonly every_ms?: number;
}

/** `['nodes.show', {params: …}]`: the area in front of the dot is what `invalidateAreas` goes by. */
export function keyOf(id: OperationId | PanelOperationId, request: unknown): QueryKey {
  return request === undefined ? [id] : [id, request];
}

/** One answer of the coordinator. `data.body` is the answer, `data.etag` what a later write gives as `if_match`. */
export function useRead<Id extends OperationId>(
  id: Id,
  request?: RequestOf<Id>,
  options: ReadOptions = {},
): UseQueryResult<ClientResponse<AnswerOf<Operations[Id]>>> {
  return useQuery({
    queryKey: keyOf(id, request),
    queryFn: ({ signal }) => looseCoordinator(id, { ...request, signal }),
    enabled: options.enabled ?? true,
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
    ...(options.every_ms === undefined ? {} : { refetchInterval: options.every_ms }),
  }) as UseQueryResult<ClientResponse<AnswerOf<Operations[Id]>>>;
}

/** The same of the panel. */
export function usePanelRead<Id extends PanelOperationId>(
  id: Id,
  request?: PanelRequestOf<Id>,
  options: ReadOptions = {},
): UseQueryResult<ClientResponse<AnswerOf<PanelOperations[Id]>>> {
  return useQuery({
    queryKey: keyOf(id, request),
    queryFn: ({ signal }) => loosePanel(id, { ...request, signal }),
    enabled: options.enabled ?? true,
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
  }) as UseQueryResult<ClientResponse<AnswerOf<PanelOperations[Id]>>>;
}

export interface List<Item> {
  /** What has been read so far. */
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** Reads the next page; does nothing while one is on its way or when there is none. */
  readonly more: () => void;
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly error: unknown;
  readonly again: () => void;
}

interface AnyPage {
  readonly items: readonly unknown[];
  readonly next_cursor: string | null;
}

/** A list, page by page as it is scrolled. */
export function useList<Id extends PagedOperationId>(
  id: Id,
  request?: RequestOf<Id>,
  options: ReadOptions = {},
): List<ItemOf<Id>> {
  return usePages(id, request, options, (asked) => looseCoordinator(id, asked)) as List<ItemOf<Id>>;
}

/** The same of the panel: `usePanelList<User>('users.list')`. */
export function usePanelList<Item>(id: PanelOperationId, request?: object, options: ReadOptions = {}): List<Item> {
  return usePages(id, request, options, (asked) => loosePanel(id, asked)) as List<Item>;
}

function usePages(
  id: OperationId | PanelOperationId,
  request: object | undefined,
  options: ReadOptions,
  call: (request: object) => Promise<ClientResponse<unknown>>,
): List<unknown> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(id, request), 'pages'],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam, signal }) => {
      const asked = (request as { query?: object } | undefined)?.query ?? {};
      const cursor = pageParam === null ? {} : { cursor: pageParam };
      const { body } = await call({ ...request, query: { limit: 200, ...asked, ...cursor }, signal });
      return body as AnyPage;
    },
    getNextPageParam: (page) => page.next_cursor,
    enabled: options.enabled ?? true,
    ...(options.keep === true ? { placeholderData: keepPreviousData } : {}),
    ...(options.every_ms === undefined ? {} : { refetchInterval: options.every_ms }),
  });
  return {
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    hasMore: query.hasNextPage,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    isLoading: query.isPending,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    again: () => void query.refetch(),
  };
}

// The two clients ask for exactly what an operation needs; the signatures of the hooks have checked it, and beneath them
// the union of all requests would be too large for the compiler.
type AnyCall = (id: string, request: object) => Promise<ClientResponse<unknown>>;
const looseCoordinator = coordinator.call as unknown as AnyCall;
const loosePanel = panel.call as unknown as AnyCall;

export function callCoordinator<Id extends OperationId>(
  id: Id,
  request: RequestOf<Id>,
): Promise<ClientResponse<AnswerOf<Operations[Id]>>> {
  return looseCoordinator(id, request) as Promise<ClientResponse<AnswerOf<Operations[Id]>>>;
}

export function callPanel<Id extends PanelOperationId>(
  id: Id,
  request: PanelRequestOf<Id>,
): Promise<ClientResponse<AnswerOf<PanelOperations[Id]>>> {
  return loosePanel(id, request) as Promise<ClientResponse<AnswerOf<PanelOperations[Id]>>>;
}
