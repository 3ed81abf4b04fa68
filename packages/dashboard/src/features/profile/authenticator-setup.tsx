import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { usePanelAction } from '../../api/actions.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';

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
        <Text size="sm">Scan this QR code with your authenticator app, or enter the secret.</Text>
        <QrCode text={draft.uri} label="QR code of your authenticator secret" />
        <Copyable value={draft.secret} />
        {finish.error !== null && <ProblemNotice error={finish.error} />}
        <TextInput
          label="Code from the app"
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          data-autofocus
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={finish.isRunning}>
          Turn on
        </Button>
      </Stack>
    </form>
  );
}

interface QrCodeProps {
  readonly text: string;
  readonly label: string;
}

/** Black on white whatever the colours of the page: not every camera reads the inverse. */
function QrCode({ text, label }: QrCodeProps) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      width={208}
      height={208}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
