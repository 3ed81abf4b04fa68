import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Profile } from '@meshwork/contract';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { Badge } from '../../ui/badge.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Section } from '../../ui/section.tsx';
import { AuthenticatorSetup, type TotpDraft } from './authenticator-setup.tsx';

interface AuthenticatorProps {
  readonly totp: Profile['totp'];
  readonly has_password: boolean;
}

/** The code that signing in with a password asks for, once it is set up. */
export function Authenticator({ totp, has_password }: AuthenticatorProps) {
  const confirm = useConfirm();
  const [draft, setDraft] = useState<TotpDraft | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = usePanelAction('totp.begin');
  const renew = usePanelAction('totp.new_recovery_codes', { touches: ['profile'] });
  const remove = usePanelAction('totp.remove', { done: 'Authenticator removed', touches: ['profile', 'auth'] });
  const closed = () => {
    setDraft(null);
    setCodes(null);
  };

  const removeIt = async () => {
    const consequence = 'You sign in with your password only. Your recovery codes stop working.';
    if (await confirm({ title: 'Remove authenticator', consequence, action: 'Remove', danger: true })) {
      await remove.run({});
    }
  };
  const renewCodes = async () => {
    const consequence = 'Your old recovery codes stop working.';
    if (await confirm({ title: 'New recovery codes', consequence, action: 'Create new codes' })) {
      setCodes((await renew.run({ body: {} })).body.recovery_codes);
    }
  };
  // A refusal has been shown by the action itself.
  const run = (what: () => Promise<unknown>) => void what().catch(() => undefined);
  return (
    <Section
      title="Authenticator"
      description="Require a code from an app on your phone when you sign in with your password."
      actions={
        totp.enabled ? (
          <Badge tone="good" icon={IconCircleCheck} word="On" />
        ) : (
          <Badge tone="watch" icon={IconCircleDashed} word="Off" />
        )
      }
    >
      {totp.enabled ? (
        <>
          <Text size="sm">
            {totp.recovery_codes_left === 1
              ? '1 recovery code left.'
              : `${totp.recovery_codes_left} recovery codes left.`}
          </Text>
          <Group gap="xs">
            <Button variant="default" loading={renew.isRunning} onClick={() => run(renewCodes)}>
              New recovery codes
            </Button>
            <Button variant="light" color="red" loading={remove.isRunning} onClick={() => run(removeIt)}>
              Stop using it
            </Button>
          </Group>
        </>
      ) : has_password ? (
        <Group>
          <Button
            loading={begin.isRunning}
            onClick={() => run(async () => setDraft((await begin.run({ body: {} })).body))}
          >
            Set up
          </Button>
        </Group>
      ) : (
        <Text size="sm">You sign in through an identity provider, which handles the second factor.</Text>
      )}
      <Modal
        opened={draft !== null || codes !== null}
        onClose={closed}
        closeOnClickOutside={false}
        title={codes === null ? 'Set up authenticator' : 'Recovery codes'}
      >
        {codes !== null ? (
          <RecoveryCodes codes={codes} onDone={closed} />
        ) : (
          draft !== null && <AuthenticatorSetup draft={draft} onCodes={setCodes} />
        )}
      </Modal>
    </Section>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Stack>
      <SecretOnce
        secret={codes.join('\n')}
        label="Recovery codes, in case you lose your authenticator"
        warning={<Text size="sm">Each code works once. They are not shown again.</Text>}
      />
      <Button onClick={onDone}>I have saved them</Button>
    </Stack>
  );
}
