import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import type { SignInState } from '@meshwork/contract';
import { useState } from 'react';
import { panel } from '../api/clients.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useAttempt } from './attempt.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface CodeFormProps {
  readonly methods: readonly ('totp' | 'recovery_code' | 'passkey')[];
  readonly onState: (state: SignInState) => void;
}

/** The second factor: what the authenticator shows, one of the recovery codes, or a passkey. */
export function CodeForm({ methods, onState }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(!methods.includes('totp'));
  const { running, error, run } = useAttempt();
  return (
    <Stack>
      {error !== null && <ProblemNotice error={error} />}
      {(methods.includes('totp') || methods.includes('recovery_code')) && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const body = { code: code.replaceAll(/\s/g, '') };
            run(async () => onState((await panel.call('auth.login_totp', { body })).body));
          }}
        >
          <Stack>
            <TextInput
              label={recovery ? 'Recovery code' : 'Authenticator code'}
              description={recovery ? 'Each code works once.' : 'The 6-digit code from your app.'}
              autoComplete="one-time-code"
              inputMode={recovery ? 'text' : 'numeric'}
              spellCheck={false}
              required
              autoFocus
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
            />
            <Button type="submit" loading={running}>
              Continue
            </Button>
          </Stack>
        </form>
      )}
      {methods.includes('passkey') && <PasskeyButton onState={onState} />}
      {methods.includes('recovery_code') && methods.includes('totp') && (
        <Anchor component="button" type="button" size="sm" onClick={() => setRecovery(!recovery)}>
          {recovery ? 'Use your authenticator' : 'Use a recovery code'}
        </Anchor>
      )}
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() =>
          run(async () => {
            await panel.call('auth.logout', { body: {} });
            onState({ state: 'signed_out' });
          })
        }
      >
        Start again
      </Anchor>
    </Stack>
  );
}
