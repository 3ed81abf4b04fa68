import { Button, Stack } from '@mantine/core';
import type { SignInState } from '@meshwork/contract';
import { IconFingerprint } from '@tabler/icons-react';
import { panel } from '../api/clients.ts';
import { askForPasskey } from '../session/passkey.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useAttempt } from './attempt.ts';

interface PasskeyButtonProps {
  readonly onState: (state: SignInState) => void;
}

/** A passkey is both factors at once. */
export function PasskeyButton({ onState }: PasskeyButtonProps) {
  const { running, error, run } = useAttempt();
  const signIn = async () => {
    const response = await askForPasskey();
    onState((await panel.call('auth.login_passkey', { body: { response } })).body);
  };
  return (
    <Stack>
      {error !== null && <ProblemNotice error={error} />}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={running}
        onClick={() => run(signIn)}
      >
        Use a passkey
      </Button>
    </Stack>
  );
}
