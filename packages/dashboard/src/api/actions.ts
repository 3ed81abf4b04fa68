/**
 * How pages change something: one hook an operation, which notifies of success and failure, and invalidates what it changed.
 * Operations that the table marks as `confirmed` may need a fresh proof of identity: the hook asks for it, then repeats the request.
 */
import type { ClientResponse, PanelRequestOf, RequestOf } from '@meshwork/client';
import type { AnswerOf, OperationId, Operations, PanelOperationId, PanelOperations } from '@meshwork/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../ui/notify.tsx';
import { invalidateAreas } from './invalidate.ts';
import { useProveAgain } from './prove-again.ts';
import { callCoordinator, callPanel } from './queries.ts';

interface ActionOptions<Body> {
  /** Said when it worked. Absent: nothing, because the page shows it. */
  readonly done?: string | ((body: Body) => string);
  /** Areas to invalidate beside the operation's own: `['overview', 'peers']`. */
  readonly touches?: readonly string[];
  /** True: the page shows the error itself, beside the field that is wrong. */
  readonly quiet?: boolean;
}

interface Action<Request, Body> {
  /** Rejects when it did not work; that has been shown by then, unless `quiet`. */
  readonly run: (request: Request) => Promise<ClientResponse<Body>>;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly reset: () => void;
}

export function useAction<Id extends OperationId>(
  id: Id,
  options: ActionOptions<AnswerOf<Operations[Id]>> = {},
): Action<RequestOf<Id>, AnswerOf<Operations[Id]>> {
  const proveAgain = useProveAgain();
  return useAnyAction(id, (request: RequestOf<Id>) => proveAgain(() => callCoordinator(id, request)), options);
}

export function usePanelAction<Id extends PanelOperationId>(
  id: Id,
  options: ActionOptions<AnswerOf<PanelOperations[Id]>> = {},
): Action<PanelRequestOf<Id>, AnswerOf<PanelOperations[Id]>> {
  const proveAgain = useProveAgain();
  return useAnyAction(id, (request: PanelRequestOf<Id>) => proveAgain(() => callPanel(id, request)), options);
}

function useAnyAction<Request, Body>(
  id: string,
  call: (request: Request) => Promise<ClientResponse<Body>>,
  { done, touches = [], quiet = false }: ActionOptions<Body>,
): Action<Request, Body> {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: call,
    onSuccess: ({ body }) => {
      const text = typeof done === 'function' ? done(body) : done;
      if (text !== undefined) notify.done(text);
    },
    onError: (error) => {
      if (!quiet) notify.failed(error);
    },
    // Also after a failure: a conflict means that what is shown is not what is there.
    onSettled: () => invalidateAreas(queries, [id.slice(0, id.indexOf('.')), ...touches]),
  });
  return {
    run: (request) => mutation.mutateAsync(request),
    isRunning: mutation.isPending,
    error: mutation.error,
    reset: mutation.reset,
  };
}
