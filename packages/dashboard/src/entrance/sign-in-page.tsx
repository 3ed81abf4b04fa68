/** Signing in: with a password and then perhaps a code, with a passkey, or by the provider. */
import { Alert, Center, Loader, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
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
import { safeReturn } from './safe-return.ts';

export default function SignInPage() {
  const queries = useQueryClient();
  const router = useRouter();
  const return_to = useReturnTo();
  const service = serviceOf(return_to);
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
    <Entrance title="Sign in" {...(service === undefined ? {} : { text: `to continue to ${service}` })}>
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

/** The service that a person wants to enter. It is only a text: the coordinator knows which ones there are. */
function serviceOf(return_to: string): string | undefined {
  const { pathname, searchParams } = new URL(return_to, 'http://here.invalid');
  const host = pathname === '/come-in' ? searchParams.get('host') : null;
  return host !== null && /^[a-z0-9.-]{1,253}$/.test(host) ? host : undefined;
}

/** The panel sends the browser back with one of these codes; anything else in the address is not repeated. */
const PROVIDER_PROBLEMS: Readonly<Record<string, string>> = {
  provider_unavailable: 'The identity provider is not responding. Try again shortly.',
  provider_refused: 'The identity provider refused the sign-in, or you cancelled it.',
  provider_answer_invalid: 'The response does not match a sign-in that this browser started. Try again.',
  no_role: 'None of your groups has a role here. Ask an administrator.',
  name_taken: 'Your user name is already taken here. Ask an administrator.',
  name_unusable: 'The identity provider did not send a valid user name. Ask an administrator.',
  account_disabled: 'Your account is disabled. Ask an administrator to enable it.',
  panel_unavailable: 'The panel could not complete the sign-in. Try again shortly.',
};

/** Why signing in by the provider did not work. */
function ProviderProblem() {
  const { problem } = useSearch({ strict: false }) as { readonly problem?: unknown };
  const text =
    typeof problem === 'string' && Object.hasOwn(PROVIDER_PROBLEMS, problem) ? PROVIDER_PROBLEMS[problem] : undefined;
  if (text === undefined) return null;
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title="Sign-in failed" role="alert">
      {text}
    </Alert>
  );
}
