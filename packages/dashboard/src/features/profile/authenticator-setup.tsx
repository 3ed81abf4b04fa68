import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { QrCode } from './qr-code.tsx';

export interface TotpDraft {
  readonly secret: string;
  readonly uri: string;
}

interface AuthenticatorSetupProps {
  readonly draft: TotpDraft;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Scan, then prove that it works: nothing changes until a first code is right. */
export function AuthenticatorSetup({ draft, onCodes }: AuthenticatorSetupProps) {
  const [code, setCode] = useState('');
  const finish = usePanelAction('totp.finish', { quiet: true, touches: ['profile', 'auth'] });
  const prove = async () => {
    const { body } = await finish.run({ body: { code: code.replaceAll(/\s/g, '') } });
    onCodes(body.recovery_codes);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void prove().catch(() => undefined); // shown below
      }}
    >
      <Stack>
        <Text size="sm">Scan this with your authenticator app, or type the secret in.</Text>
        <QrCode text={draft.uri} label="The secret for your authenticator, as a QR code" />
        <Copyable value={draft.secret} />
        {finish.error !== null && <ProblemNotice error={finish.error} />}
        <TextInput
          label="The code it shows now"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={finish.isRunning}>
          Use it from now on
        </Button>
      </Stack>
    </form>
  );
}
