import { Button, Divider, Stack } from '@mantine/core';
import type { SignInState } from '@meshwork/contract';
import { usePanelRead } from '../api/queries.ts';
import { goToProvider } from '../session/provider.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { useAttempt } from './attempt.ts';
import { PasskeyButton } from './passkey-button.tsx';

interface OtherWaysProps {
  readonly return_to: string;
  readonly onState: (state: SignInState) => void;
}

/** What this panel offers beside the password. */
export function OtherWays({ return_to, onState }: OtherWaysProps) {
  const methods = usePanelRead('auth.methods');
  const { running, error, run } = useAttempt();
  const offered = methods.data?.body;
  if (offered === undefined || (!offered.passkey && offered.oidc === null)) return null;
  return (
    <Stack>
      <Divider label="or" />
      {error !== null && <ProblemNotice error={error} />}
      {offered.passkey && <PasskeyButton onState={onState} />}
      {offered.oidc !== null && (
        <Button variant="default" loading={running} onClick={() => run(() => goToProvider(return_to))}>
          Continue with {offered.oidc.name}
        </Button>
      )}
    </Stack>
  );
}
