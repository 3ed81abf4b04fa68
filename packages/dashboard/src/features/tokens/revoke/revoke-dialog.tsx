import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useMadeTokens } from '../../../mesh/made-tokens.ts';
import { May } from '../../../session/session.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { type Children, ChildrenChoice } from './children-choice.tsx';
import { LatelyDone } from './lately-done.tsx';

interface RevokeDialogProps {
  readonly token: Token;
  readonly etag: string | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Revoking a token: what stops, what does not, and what it did lately. */
export function RevokeDialog({ token, etag, opened, onClose }: RevokeDialogProps) {
  const [typed, setTyped] = useState('');
  const revoke = useAction('tokens.revoke', {
    quiet: true,
    done: `${token.name} is revoked`,
    touches: ['overview', 'audit'],
  });
  const isPanels = token.role === 'panel';
  const made = useMadeTokens(token.id, opened);
  const [children, setChildren] = useState<Children | null>(null);
  const asks = (made.data?.length ?? 0) > 0;
  const ready = (!isPanels || typed.trim() === token.name) && !made.isLoading && (!asks || children !== null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return;
    const query = asks && children === 'revoke' ? { children: true } : {};
    await revoke.run({ params: { id: token.id }, query, ...(etag === null ? {} : { if_match: etag }) });
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Revoke ${token.name}`} size="lg">
      <form onSubmit={(event) => void submit(event).catch(() => undefined /* shown below, by revoke.error */)}>
        <Stack>
          <List size="sm" spacing={4}>
            <List.Item>Whatever uses it is refused at once, everywhere. It cannot be undone.</List.Item>
            {token.rotated_from !== null && (
              <List.Item>The tokens it replaced end with it, if their secrets are still good.</List.Item>
            )}
            <List.Item>
              Nodes are not touched, also those it enrolled: a token is not an identity, and they have their own keys.
            </List.Item>
            {token.on_behalf_of !== null && (
              <List.Item>
                {token.on_behalf_of.name} stays signed in: the panel makes a new one. To sign them out, end their
                sessions.
              </List.Item>
            )}
            {isPanels && (
              <List.Item>
                <strong>This is the panel’s own token.</strong> Nobody can use this dashboard until the coordinator is
                started anew and gives the panel another.
              </List.Item>
            )}
          </List>
          <Text size="sm">
            {token.last_used_at === null ? (
              'It was never used, as far as is known.'
            ) : (
              <>
                It was last used <Ago at={token.last_used_at} />.
              </>
            )}
          </Text>
          <May permission="audit:read">{opened && <LatelyDone token={token} />}</May>
          {made.error !== null && <ProblemNotice error={made.error} onRetry={() => void made.refetch()} />}
          {asks && <ChildrenChoice tokens={made.data ?? []} value={children} onChange={setChildren} />}
          {isPanels && (
            <TextInput
              label={`Type ${token.name} to go on`}
              value={typed}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setTyped(event.currentTarget.value)}
            />
          )}
          {revoke.error !== null && <ProblemNotice error={revoke.error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={!ready} loading={revoke.isRunning}>
              Revoke
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
