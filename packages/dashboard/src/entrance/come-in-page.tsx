/** The way into a service that asks people to sign in: its gateway sent the browser here, and gets it back with a pass. */
import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import { IconLock } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { panel } from '../api/clients.ts';
import { leave, SessionGate, useSession } from '../session/session.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useAttempt } from './attempt.ts';
import { Entrance } from './entrance.tsx';

interface Asked {
  readonly hostname: string;
  readonly state: string;
  readonly to: string;
}

export default function ComeInPage() {
  const { host, state, to } = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>;
  if (host === undefined || state === undefined) {
    return (
      <Entrance title="This link is incomplete" text="Open the service again: it leads here by itself.">
        <AnchorLink to="/" ta="center">
          Open the panel
        </AnchorLink>
      </Entrance>
    );
  }
  return (
    <SessionGate>
      <ComeIn hostname={host} state={state} to={to ?? '/'} />
    </SessionGate>
  );
}

function ComeIn({ hostname, state, to }: Asked) {
  const { data, error, refetch } = useQuery({
    queryKey: ['auth.enter', hostname, state, to],
    queryFn: ({ signal }) => panel.call('auth.enter', { body: { hostname, state, to }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0, // a pass is good once
    retry: false,
  });
  const url = data?.body.url;
  useEffect(() => {
    if (url !== undefined) window.location.replace(url);
  }, [url]);
  if (error === null) {
    return (
      <Entrance title="Signing in" text={`You continue to ${hostname}.`}>
        <Center>
          <Loader aria-label="Loading" />
        </Center>
      </Entrance>
    );
  }
  return (
    <Entrance title={`Cannot open ${hostname}`}>
      {error instanceof ApiError && error.code === 'entry_refused' ? (
        <Refused why={error.detail} />
      ) : (
        <ProblemNotice error={error} onRetry={() => void refetch()} />
      )}
    </Entrance>
  );
}

function Refused({ why }: { readonly why: string }) {
  const { user } = useSession();
  const queries = useQueryClient();
  const { running, error, run } = useAttempt();
  const signOut = async () => {
    await panel.call('auth.logout', { body: {} });
    leave(queries);
  };
  return (
    <Stack>
      <Alert color="yellow" variant="light" icon={<IconLock aria-hidden />} role="alert">
        {why} Ask an administrator of the service to let you in.
      </Alert>
      <Text size="sm" c="dimmed" ta="center">
        You are signed in as {user.name}.
      </Text>
      {error !== null && <ProblemNotice error={error} />}
      <Button variant="default" loading={running} onClick={() => run(signOut)}>
        Use another account
      </Button>
      <AnchorLink to="/" size="sm" ta="center">
        Open the panel
      </AnchorLink>
    </Stack>
  );
}
