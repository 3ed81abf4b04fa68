import { Button, Group, Stack, Text } from '@mantine/core';
import type { TokenWithSecret } from '@meshwork/contract';
import { useSession } from '../../session/session.tsx';
import { Command } from '../../ui/command.tsx';
import { Ago, Moment } from '../../ui/moment.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { useSecretGuard } from './use-secret-guard.ts';
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
        label={`The secret of ${token.name}`}
        warning="It is shown here and never again: nobody keeps it. Store it now where its program finds it."
      />
      <Text size="sm">
        It is good until <Moment at={token.expires} />.
        {old_ends !== null && (
          <>
            {' '}
            The old secret ends <Ago at={old_ends} />, at <Moment at={old_ends} />.
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
