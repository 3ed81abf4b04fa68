/** Who is signed in, and what they may do. Below `SessionGate` there is always a session. */

import { Center, Loader } from '@mantine/core';
import type { Permission, SignedIn, SignInState } from '@meshwork/contract';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useCallback, useEffect } from 'react';
import { panel } from '../api/clients.ts';
import { carryCsrfToken } from '../api/panel-fetch.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';

/** Under the same key as `usePanelRead('auth.session')`, so that actions of the area `auth` invalidate it. */
export const sessionQuery = queryOptions({
  queryKey: ['auth.session'],
  queryFn: async ({ signal }): Promise<SignInState> => {
    const { body } = await panel.call('auth.session', { signal });
    carryCsrfToken(body.state === 'signed_out' ? null : body.csrf_token);
    return body;
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Signed in, fully or halfway: from now on requests carry the new session's token. */
export function enter(queries: QueryClient, state: SignInState): void {
  carryCsrfToken(state.state === 'signed_out' ? null : state.csrf_token);
  queries.setQueryData(sessionQuery.queryKey, state);
}

/** Areas that are read without a session too. */
const PUBLIC_AREAS = new Set(['auth', 'setup', 'invitation']);

/** The session is over: what was read in it is dropped. */
export function leave(queries: QueryClient): void {
  if (queries.getQueryData(sessionQuery.queryKey)?.state === 'signed_out') return; // several answers may say so at once
  enter(queries, { state: 'signed_out' });
  queries.removeQueries({
    predicate: ({ queryKey: [id] }) => typeof id === 'string' && !PUBLIC_AREAS.has(id.slice(0, id.indexOf('.'))),
  });
}

const SessionContext = createContext<SignedIn | null>(null);

/** Shows its children with a session. Otherwise redirects to the sign-in page, which leads back here. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const query = useQuery(sessionQuery);
  const router = useRouter();
  const stranger = query.data !== undefined && query.data.state !== 'signed_in';
  useEffect(() => {
    const { pathname, href } = router.latestLocation;
    // After a manual sign-out, the navigation is under way already.
    if (!stranger || pathname === '/sign-in') return;
    void router.navigate({ to: '/sign-in', search: href === '/' ? {} : { return_to: href }, replace: true });
  }, [stranger, router]);
  if (query.data?.state === 'signed_in') return <SessionContext value={query.data}>{children}</SessionContext>;
  return (
    <Center mih="100dvh" p="md">
      {query.error === null || stranger ? (
        <Loader aria-label="Loading" />
      ) : (
        <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />
      )}
    </Center>
  );
}

export function useSession(): SignedIn {
  const session = use(SessionContext);
  if (session === null) throw new Error('useSession outside of SessionGate');
  return session;
}

/** Whether the person may do something. The coordinator decides; this only spares them what it would refuse. */
export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSession();
  return useCallback((permission) => permissions.includes(permission), [permissions]);
}

interface MayProps {
  readonly permission: Permission;
  readonly children: ReactNode;
}

/** Shows its children only with this permission. */
export function May({ permission, children }: MayProps) {
  return useMay()(permission) ? children : null;
}
