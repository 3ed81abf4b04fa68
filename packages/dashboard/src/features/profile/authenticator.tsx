import { Button, Group, Modal, Text } from '@mantine/core';
import type { Profile } from '@meshwork/contract';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { Badge } from '../../ui/badge.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/section.tsx';
import { AuthenticatorSetup, type TotpDraft } from './authenticator-setup.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

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
  const remove = usePanelAction('totp.remove', { done: 'No code is asked for any more', touches: ['profile', 'auth'] });
  const closed = () => {
    setDraft(null);
    setCodes(null);
  };

  const removeIt = async () => {
    const consequence = 'Your password alone signs you in then. Recovery codes are good for nothing any more.';
    if (await confirm({ title: 'Stop using the authenticator', consequence, action: 'Stop', danger: true })) {
      await remove.run({});
    }
  };
  const renewCodes = async () => {
    const consequence = 'The old recovery codes are good for nothing from then on.';
    if (await confirm({ title: 'New recovery codes', consequence, action: 'Make new ones' })) {
      setCodes((await renew.run({ body: {} })).body.recovery_codes);
    }
  };
  // A refusal has been shown by the action itself.
  const run = (what: () => Promise<unknown>) => void what().catch(() => undefined);
  return (
    <Section
      title="Authenticator"
      description="An app on your phone shows a code that signing in with your password asks for. Who steals the password alone gets nowhere."
      actions={
        totp.enabled ? (
          <Badge tone="good" icon={IconCircleCheck} word="In use" />
        ) : (
          <Badge tone="watch" icon={IconCircleDashed} word="Not in use" />
        )
      }
    >
      {totp.enabled ? (
        <>
          <Text size="sm">
            {totp.recovery_codes_left === 1
              ? '1 recovery code is left.'
              : `${totp.recovery_codes_left} recovery codes are left.`}
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
        <Text size="sm">You sign in by the provider, which asks for a second factor itself.</Text>
      )}
      <Modal
        opened={draft !== null || codes !== null}
        onClose={closed}
        closeOnClickOutside={false}
        title={codes === null ? 'Set up the authenticator' : 'Recovery codes'}
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
