import { Button, Group, Stack, Text } from '@mantine/core';
import type { TokenWithSecret } from '@meshwork/contract';
import { useBlocker } from '@tanstack/react-router';
import { useSession } from '../../../session/session.tsx';
import { Command } from '../../../ui/command.tsx';
import { useConfirm } from '../../../ui/confirm.tsx';
import { Ago, Moment } from '../../../ui/moment.tsx';
import { SecretOnce } from '../../../ui/secret-once.tsx';
import { waysToUse } from './ways-to-use.ts';

interface NewSecretProps {
  readonly token: TokenWithSecret;
  /** When the secret that it replaces stops being good. Null: it replaces none. */
  readonly old_ends: string | null;
  readonly onDone: () => void;
}

/** A secret, and how it is used. */
export function NewSecret({ token, old_ends, onDone }: NewSecretProps) {
  const { url } = useSession().coordinator;
  useSecretGuard();
  return (
    <Stack>
      <SecretOnce
        secret={token.secret}
        label={`Secret of ${token.name}`}
        warning="Store this secret now. It is not shown again."
      />
      <Text size="sm">
        Valid until <Moment at={token.expires} />.
        {old_ends !== null && (
          <>
            {' '}
            The old secret expires <Ago at={old_ends} />, at <Moment at={old_ends} />.
          </>
        )}
      </Text>
      {waysToUse(token, url).map(({ label, text }) => (
        <Command key={label} label={label} text={text} />
      ))}
      <Group justify="flex-end">
        <Button onClick={onDone}>I have stored it</Button>
      </Group>
    </Stack>
  );
}

/** Asks before a person leaves a page whose secret cannot be shown again. */
function useSecretGuard(): void {
  const confirm = useConfirm();
  useBlocker({
    shouldBlockFn: async ({ next }) => {
      if (next.pathname === '/sign-in') return false;
      const consequence = 'The secret is not shown again. If you lose it, you have to rotate the token.';
      return !(await confirm({
        title: 'Leave without storing the secret?',
        consequence,
        action: 'Leave',
        danger: true,
      }));
    },
    enableBeforeUnload: true,
  });
}
