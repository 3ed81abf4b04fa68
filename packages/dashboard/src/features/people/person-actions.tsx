import { Button, Modal } from '@mantine/core';
import type { Invitation, User } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { tokensToEnd } from './tokens-to-end.tsx';
import { useEndingConfirm } from './use-ending-confirm.tsx';

interface PersonActionsProps {
  readonly user: User;
  readonly etag: string | null;
}

/** Actions on another person's account. */
export function PersonActions({ user, etag }: PersonActionsProps) {
  const confirm = useConfirm();
  const confirmEnding = useEndingConfirm();
  const navigate = useNavigate();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const update = usePanelAction('users.update', { touches: ['sessions', 'tokens'] });
  const again = usePanelAction('users.invite_again', { touches: ['sessions'] });
  const remove = usePanelAction('users.remove', {
    done: `${user.display_name} removed`,
    touches: ['sessions', 'tokens'],
  });
  const name = user.display_name;
  const params = { id: user.id };
  const match = etag === null ? {} : { if_match: etag };

  const disable = async () => {
    const consequence = `${name} is signed out everywhere and cannot sign in until the account is enabled again.`;
    const asked = { title: `Disable ${name}`, consequence, action: 'Disable', danger: true };
    const keep = await confirmEnding(asked, await tokensToEnd(user.id));
    if (keep !== undefined) await update.run({ params, body: { disabled: true, ...keep }, ...match });
  };
  const inviteAgain = async () => {
    const consequence = `${name} is signed out everywhere. Password, authenticator and passkeys are deleted, and you get a link for them to set new ones.`;
    if (await confirm({ title: `Reset the account of ${name}`, consequence, action: 'Reset account', danger: true })) {
      setInvitation((await again.run({ params, body: {}, ...match })).body);
    }
  };
  const removeForGood = async () => {
    const consequence = `${name} is signed out everywhere and the account is deleted permanently. Audit entries under their name are kept.`;
    const asked = { title: `Remove ${name}`, consequence, action: 'Remove', danger: true, type_to_confirm: user.name };
    const keep = await confirmEnding(asked, await tokensToEnd(user.id));
    if (keep === undefined) return;
    await remove.run({ params, query: keep, ...match });
    await navigate({ to: '/people' });
  };
  // A refusal has been shown by the action itself.
  const run = (what: () => Promise<unknown>) => void what().catch(() => undefined);
  return (
    <>
      {user.state === 'disabled' ? (
        <Button
          variant="default"
          loading={update.isRunning}
          onClick={() => run(() => update.run({ params, body: { disabled: false }, ...match }))}
        >
          Enable
        </Button>
      ) : (
        <Button variant="default" loading={update.isRunning} onClick={() => run(disable)}>
          Disable
        </Button>
      )}
      <Button variant="default" loading={again.isRunning} onClick={() => run(inviteAgain)}>
        {user.state === 'invited' ? 'New invitation' : 'Reset account'}
      </Button>
      <Button color="red" variant="light" loading={remove.isRunning} onClick={() => run(removeForGood)}>
        Remove
      </Button>
      <Modal
        opened={invitation !== null}
        onClose={() => setInvitation(null)}
        closeOnClickOutside={false}
        title={`New link for ${name}`}
        size="lg"
      >
        {invitation !== null && <InvitationLink invitation={invitation} onDone={() => setInvitation(null)} />}
      </Modal>
    </>
  );
}
