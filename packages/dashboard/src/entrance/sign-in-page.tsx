/** Signing in: with a password and then perhaps a code, with a passkey, or by the provider. */
import { Center, Loader, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { usePanelRead } from '../api/queries.ts';
import { enter, sessionQuery } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { CodeForm } from './code-form.tsx';
import { Entrance } from './entrance.tsx';
import { OtherWays } from './other-ways.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProviderProblem } from './provider-problem.tsx';
import { safeReturn } from './safe-return.ts';

export default function SignInPage() {
  const queries = useQueryClient();
  const router = useRouter();
  const return_to = useReturnTo();
  const session = useQuery(sessionQuery);
  const setup = usePanelRead('setup.status');
  const signedIn = session.data?.state === 'signed_in';
  useEffect(() => {
    if (signedIn) router.history.replace(return_to);
  }, [signedIn, return_to, router]);

  if (session.error !== null) {
    return (
      <Entrance title="Sign in">
        <ProblemNotice error={session.error} onRetry={() => void session.refetch()} />
      </Entrance>
    );
  }
  if (session.data === undefined || signedIn || setup.isPending) {
    return (
      <Center mih="100dvh">
        <Loader aria-label="Loading" />
      </Center>
    );
  }
  if (setup.data?.body.needed === true) return <Navigate to="/setup" replace />;
  if (session.data.state === 'halfway') {
    return (
      <Entrance title="Two-step verification" text="Enter your second factor to continue.">
        <CodeForm methods={session.data.methods} onState={(state) => enter(queries, state)} />
      </Entrance>
    );
  }
  return (
    <Entrance title="Sign in">
      <Stack>
        <ProviderProblem />
        <PasswordForm onState={(state) => enter(queries, state)} />
        <OtherWays return_to={return_to} onState={(state) => enter(queries, state)} />
        <AnchorLink to="/invitation" size="sm" ta="center">
          I have an invitation
        </AnchorLink>
      </Stack>
    </Entrance>
  );
}

function useReturnTo(): string {
  const { return_to } = useSearch({ strict: false }) as { readonly return_to?: unknown };
  return safeReturn(return_to);
}
