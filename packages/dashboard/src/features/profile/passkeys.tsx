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
    done: 'The passkey was added',
    touches: ['profile', 'auth'],
  });
  const remove = usePanelAction('passkeys.remove', { done: 'The passkey was removed', touches: ['profile', 'auth'] });

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
    const consequence = `“${called}” signs nobody in any more. The device keeps it until you delete it there too.`;
    if (await confirm({ title: 'Remove the passkey', consequence, action: 'Remove', danger: true })) {
      await remove.run({ params: { id } });
    }
  };
  return (
    <Section
      title="Passkeys"
      description="Your device or a security key signs you in, without a password and without a code."
    >
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
                onClick={() => void removeOne(passkey).catch(() => undefined)} // has been said
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {methods.data?.body.passkey === false ? (
        <Text size="sm">
          Browsers allow passkeys only at a name, over TLS or on this machine itself: open the panel that way to add
          one.
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
                label="What to call it"
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
