import { Button, Modal } from '@mantine/core';
import type { Invitation, User } from '@meshwork/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { useConfirm } from '../../ui/confirm.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { useMadeTokens } from './made-tokens.tsx';

interface PersonActionsProps {
  readonly user: User;
  readonly etag: string | null;
}

/** What can be done about somebody else's account. */
export function PersonActions({ user, etag }: PersonActionsProps) {
  const confirm = useConfirm();
  const navigate = useNavigate();
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const update = usePanelAction('users.update', { touches: ['sessions'] });
  const again = usePanelAction('users.invite_again', { touches: ['sessions'] });
  const remove = usePanelAction('users.remove', { done: `${user.display_name} was removed`, touches: ['sessions'] });
  const left = useMadeTokens(user.id).data?.length ?? 0;
  const name = user.display_name;
  const params = { id: user.id };
  const match = etag === null ? {} : { if_match: etag };

  const disable = async () => {
    const consequence = `All sessions of ${name} end, and they cannot sign in until somebody enables them again.${tokensLeft(left)}`;
    if (await confirm({ title: `Disable ${name}`, consequence, action: 'Disable', danger: true })) {
      await update.run({ params, body: { disabled: true }, ...match });
    }
  };
  const inviteAgain = async () => {
    const consequence = `All sessions of ${name} end, and password, authenticator and passkeys are forgotten. They choose anew with the link that you get.`;
    if (await confirm({ title: `Let ${name} start anew`, consequence, action: 'Make a new link', danger: true })) {
      setInvitation((await again.run({ params, body: {}, ...match })).body);
    }
  };
  const removeForGood = async () => {
    const consequence = `All sessions of ${name} end, and the account is gone for good. What they did stays in the audit trail under their name.${tokensLeft(left)}`;
    const asked = { title: `Remove ${name}`, consequence, action: 'Remove', danger: true, type_to_confirm: user.name };
    if (await confirm(asked)) {
      await remove.run({ params, ...match });
      await navigate({ to: '/people' });
    }
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

/** Disabling or removing somebody ends what they do themselves, and not what they have set up. */
function tokensLeft(count: number): string {
  if (count === 0) return '';
  return count === 1
    ? ' One token that they made goes on working until somebody revokes it.'
    : ` ${count} tokens that they made go on working until somebody revokes them.`;
}
