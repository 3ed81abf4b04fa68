import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { ApiError } from '@meshwork/client';
import type { Token } from '@meshwork/contract';
import { useState } from 'react';
import { panel } from '../../api/clients.ts';
import { TokenLines } from '../../mesh/token-lines.tsx';
import { notify } from '../../ui/notify.tsx';

interface Change {
  readonly role?: string;
  readonly team?: string;
  readonly surface?: string;
  readonly environment?: string;
}

/** What a change of a person would revoke. Null: the coordinator cannot be asked now. */
export async function tokensToEnd(id: string, query: Change = {}): Promise<readonly Token[] | null> {
  try {
    return (await panel.call('users.tokens', { params: { id }, query })).body.items;
  } catch (error) {
    // The dialogue says so; the change itself is possible, and the tokens follow.
    if (error instanceof ApiError && error.code === 'coordinator_unavailable') return null;
    notify.failed(error);
    throw error;
  }
}

interface TokensToEndProps {
  readonly tokens: readonly Token[] | null;
  readonly onKeep: (keep: boolean) => void;
}

/** The list in the dialogue before a person is changed, and the choice to keep what is on it. */
export function TokensToEnd({ tokens, onKeep }: TokensToEndProps) {
  const [keep, setKeep] = useState(false);
  if (tokens === null) {
    return (
      <Alert color="yellow" variant="light">
        The coordinator is not responding, so the tokens that this revokes are not known. They are revoked as soon as it
        is back.
      </Alert>
    );
  }
  if (tokens.length === 0) return null;
  const many = tokens.length === 1 ? 'This token is revoked' : `These ${tokens.length} tokens are revoked`;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {keep ? 'These tokens stay valid:' : `${many} too:`}
      </Text>
      <TokenLines tokens={tokens} label="Tokens to revoke" scrolls links={false} />
      <Checkbox
        label="Keep these tokens"
        description="Programs that use them keep working, and you become responsible for them."
        checked={keep}
        onChange={(event) => {
          setKeep(event.currentTarget.checked);
          onKeep(event.currentTarget.checked);
        }}
      />
    </Stack>
  );
}
