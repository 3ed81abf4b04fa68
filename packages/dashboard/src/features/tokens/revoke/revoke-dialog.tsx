import { Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { Token } from '@meshwork/contract';
import { IconBan } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../../api/actions.ts';
import { useRead } from '../../../api/queries.ts';
import { useMadeTokens } from '../../../mesh/made-tokens.ts';
import { May } from '../../../session/session.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { ActLines } from '../activity/act-lines.tsx';
import { type Children, ChildrenChoice } from './children-choice.tsx';

interface RevokeDialogProps {
  readonly token: Token;
  readonly etag: string | null;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Revoking a token: what stops, what does not, and what it did lately. */
function RevokeDialog({ token, etag, opened, onClose }: RevokeDialogProps) {
  const [typed, setTyped] = useState('');
  const revoke = useAction('tokens.revoke', {
    quiet: true,
    done: `${token.name} revoked`,
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
            <List.Item>Programs that use it are refused immediately. This cannot be undone.</List.Item>
            {token.rotated_from !== null && (
              <List.Item>Tokens that it replaced are revoked too, if their secrets are still valid.</List.Item>
            )}
            <List.Item>Nodes that it enrolled are not affected: they have their own keys.</List.Item>
            {token.on_behalf_of !== null && (
              <List.Item>
                {token.on_behalf_of.name} stays signed in: the panel creates a new one. To sign them out, end their
                sessions.
              </List.Item>
            )}
            {isPanels && (
              <List.Item>
                <strong>This is the panel’s own token.</strong> The dashboard stops working until you restart the
                coordinator, which gives the panel a new one.
              </List.Item>
            )}
          </List>
          <Text size="sm">
            {token.last_used_at === null ? (
              'It was never used.'
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
              label={`Type ${token.name} to confirm`}
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

/** Ours: enough to recognise what is using it. */
const SHOWN = 5;

function LatelyDone({ token }: { readonly token: Token }) {
  const query = useRead('audit.list', { query: { token: token.id, limit: SHOWN } });
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        Recent activity
      </Text>
      <Loaded query={query}>{({ items }) => <ActLines entries={items} say="target" none="No entries." />}</Loaded>
    </Stack>
  );
}

interface RevokeButtonProps {
  readonly token: Token;
  readonly etag: string | null;
}

export function RevokeButton({ token, etag }: RevokeButtonProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        color="red"
        variant="light"
        leftSection={<IconBan size={14} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Revoke
      </Button>
      <RevokeDialog token={token} etag={etag} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
