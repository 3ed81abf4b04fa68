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

/** What can be done about somebody else's account. */
export function PersonActions({ user, etag }: PersonActionsProps) {
  const confirm = useConfirm();
  const confirmEnding = useEndingConfirm();
  const navigate = useNavigate();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const update = usePanelAction('users.update', { touches: ['sessions', 'tokens'] });
  const again = usePanelAction('users.invite_again', { touches: ['sessions'] });
  const remove = usePanelAction('users.remove', {
    done: `${user.display_name} was removed`,
    touches: ['sessions', 'tokens'],
  });
  const name = user.display_name;
  const params = { id: user.id };
  const match = etag === null ? {} : { if_match: etag };

  const disable = async () => {
    const consequence = `All sessions of ${name} end, and they cannot sign in until somebody enables them again.`;
    const asked = { title: `Disable ${name}`, consequence, action: 'Disable', danger: true };
    const keep = await confirmEnding(asked, await tokensToEnd(user.id));
    if (keep !== undefined) await update.run({ params, body: { disabled: true, ...keep }, ...match });
  };
  const inviteAgain = async () => {
    const consequence = `All sessions of ${name} end, and password, authenticator and passkeys are forgotten. They choose anew with the link that you get.`;
    if (await confirm({ title: `Let ${name} start anew`, consequence, action: 'Make a new link', danger: true })) {
      setInvitation((await again.run({ params, body: {}, ...match })).body);
    }
  };
  const removeForGood = async () => {
    const consequence = `All sessions of ${name} end, and the account is gone for good. What they did stays in the audit trail under their name.`;
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
        {user.state === 'invited' ? 'New invitation' : 'Start anew'}
      </Button>
      <Button color="red" variant="light" loading={remove.isRunning} onClick={() => run(removeForGood)}>
        Remove
      </Button>
      <Modal
        opened={invitation !== null}
        onClose={() => setInvitation(null)}
        closeOnClickOutside={false}
        title={`A new link for ${name}`}
        size="lg"
      >
        {invitation !== null && <InvitationLink invitation={invitation} onDone={() => setInvitation(null)} />}
      </Modal>
    </>
  );
}
