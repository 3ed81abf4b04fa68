import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { panel } from '../api/clients.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { wasGivenUp } from './given-up.ts';
import { askForPasskey } from './passkey.ts';
import { goToProvider } from './provider.ts';
import { enter, sessionQuery } from './session.tsx';

interface ProofFormProps {
  readonly onProven: () => void;
}

/** The password with a code where there is one, or a passkey, whichever the person has. */
export default function ProofForm({ onProven }: ProofFormProps) {
  const queries = useQueryClient();
  const state = queries.getQueryData(sessionQuery.queryKey);
  const ways = state?.state === 'signed_in' ? state.user.signs_in_by : [];
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [running, setRunning] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  // The dialog moves the focus when it opens. By then this form may still be loading.
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), []);

  const prove = async (
    proof: () => Promise<{ password?: string; code?: string; passkey?: Record<string, unknown> }>,
  ) => {
    setRunning(true);
    setError(null);
    try {
      const { body } = await panel.call('auth.confirm', { body: await proof() });
      enter(queries, body);
      onProven();
    } catch (failure) {
      if (!wasGivenUp(failure)) setError(failure);
    } finally {
      setRunning(false);
    }
  };

  return (
    <Stack ref={form}>
      {error !== null && <ProblemNotice error={error} />}
      {ways.includes('passkey') && (
        <Button
          leftSection={<IconFingerprint size={18} aria-hidden />}
          loading={running}
          data-autofocus={!ways.includes('password') || undefined}
          onClick={() => void prove(async () => ({ passkey: await askForPasskey() }))}
        >
          Use a passkey
        </Button>
      )}
      {ways.includes('password') && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void prove(async () => ({ password, ...(code === '' ? {} : { code }) }));
          }}
        >
          <Stack>
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              required
              data-autofocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            {ways.includes('totp') && (
              <TextInput
                label="Authenticator code"
                autoComplete="one-time-code"
                inputMode="numeric"
                required
                value={code}
                onChange={(event) => setCode(event.currentTarget.value)}
              />
            )}
            <Button type="submit" loading={running}>
              Confirm
            </Button>
          </Stack>
        </form>
      )}
      {!ways.includes('passkey') && !ways.includes('password') && (
        <>
          <Text size="sm">
            You sign in through your identity provider, so you have to sign in there again. This page reloads
            afterwards: copy anything you have typed, and repeat the action when you are back.
          </Text>
          <Button data-autofocus onClick={() => void goToProvider(location.pathname + location.search).catch(setError)}>
            Sign in again
          </Button>
        </>
      )}
    </Stack>
  );
}
