import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Passkey } from '@meshwork/contract';
import { startRegistration } from '@simplewebauthn/browser';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { usePanelRead } from '../../api/queries.ts';
import { wasGivenUp } from '../../session/given-up.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { notify } from '../../ui/notify.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './passkeys.module.css';

type OptionsJSON = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** What signs in without a password: the device itself, or a security key. */
export function Passkeys({ passkeys }: { readonly passkeys: readonly Passkey[] }) {
  const confirm = useConfirm();
  const methods = usePanelRead('auth.methods');
  const [name, setName] = useState('');
  const begin = usePanelAction('passkeys.begin', { quiet: true });
  const add = usePanelAction('passkeys.add', {
    quiet: true,
    done: 'Passkey added',
    touches: ['profile', 'auth'],
  });
  const remove = usePanelAction('passkeys.remove', { done: 'Passkey removed', touches: ['profile', 'auth'] });

  const addOne = async () => {
    try {
      const { body: options } = await begin.run({ body: {} });
      const response = await startRegistration({ optionsJSON: options as unknown as OptionsJSON });
      await add.run({ body: { name: name.trim(), response: { ...response } } });
      setName('');
    } catch (error) {
      if (!wasGivenUp(error)) notify.failed(error);
    }
  };
  const removeOne = async ({ id, name: called }: Passkey) => {
    const consequence = `You can no longer sign in with “${called}”. Delete it on the device too.`;
    if (await confirm({ title: 'Remove passkey', consequence, action: 'Remove', danger: true })) {
      await remove.run({ params: { id } });
    }
  };
  return (
    <Section title="Passkeys" description="Sign in with your device or a security key, without a password or code.">
      {passkeys.length > 0 && (
        <ul className={classes.list}>
          {passkeys.map((passkey) => (
            <li key={passkey.id} className={classes.passkey}>
              <IconFingerprint size={20} aria-hidden />
              <div className={classes.facts}>
                <div>{passkey.name}</div>
                <Text size="xs" c="dimmed">
                  Added <Moment at={passkey.created_at} />
                  {', '}
                  {passkey.last_used_at === null ? (
                    'never used'
                  ) : (
                    <>
                      last used <Ago at={passkey.last_used_at} />
                    </>
                  )}
                </Text>
              </div>
              <Button
                size="xs"
                variant="light"
                color="red"
                aria-label={`Remove ${passkey.name}`}
                onClick={() => void removeOne(passkey).catch(() => undefined)} // already reported
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {methods.data?.body.passkey === false ? (
        <Text size="sm">
          Browsers allow passkeys only over TLS with a host name, or on localhost: open the panel that way to add one.
        </Text>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void addOne();
          }}
        >
          <Stack gap="xs">
            <Group align="flex-end" gap="xs">
              <TextInput
                label="Passkey name"
                placeholder="Laptop"
                required
                maxLength={100}
                autoComplete="off"
                style={{ flex: '0 1 24rem' }}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button type="submit" variant="default" loading={begin.isRunning || add.isRunning}>
                Add a passkey
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Section>
  );
}
