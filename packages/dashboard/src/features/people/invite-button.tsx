import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Invitation } from '@meshwork/contract';
import { IconUserPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { fieldError } from '../../ui/said-of-error.ts';
import { isUserName, UserNameInput } from '../../ui/user-name-input.tsx';
import { InvitationLink } from './invitation-link.tsx';
import { type Rights, RightsFields } from './rights-fields.tsx';

/** Invites a person in two steps: name and rights, then the link to send. */
export function InviteButton() {
  const [open, { open: show, close }] = useDisclosure(false);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  return (
    <>
      <Button leftSection={<IconUserPlus size={16} aria-hidden />} onClick={show}>
        Invite
      </Button>
      <Modal
        opened={open}
        onClose={close}
        onExitTransitionEnd={() => setInvitation(null)}
        // The link is shown once: a click beside the dialog must not lose it.
        closeOnClickOutside={invitation === null}
        title={invitation === null ? 'Invite person' : `${invitation.user.display_name} invited`}
        size="lg"
      >
        {invitation === null ? (
          <InviteForm onInvited={setInvitation} />
        ) : (
          <InvitationLink invitation={invitation} onDone={close} />
        )}
      </Modal>
    </>
  );
}

const LEAST: Rights = { role: 'viewer', scope: { team: '*', surface: '*', environment: '*' }, groups: [] };

function InviteForm({ onInvited }: { readonly onInvited: (invitation: Invitation) => void }) {
  const [name, setName] = useState('');
  const [display_name, setDisplayName] = useState('');
  const [rights, setRights] = useState(LEAST);
  const create = usePanelAction('users.create', { quiet: true });
  const invite = async () => {
    const shown = display_name.trim();
    const { body } = await create.run({
      body: { name, ...(shown === '' ? {} : { display_name: shown }), ...rights, groups: [...rights.groups] },
    });
    onInvited(body);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isUserName(name)) void invite().catch(() => undefined); // shown below
      }}
    >
      <Stack>
        {create.error !== null && <ProblemNotice error={create.error} />}
        <UserNameInput
          label="Name"
          description="They sign in with it, and the audit trail shows it. Example: ada."
          autoComplete="off"
          isFirst
          value={name}
          error={fieldError(create.error, '/name')}
          onChange={setName}
        />
        <TextInput
          label="Display name"
          autoComplete="off"
          maxLength={100}
          value={display_name}
          error={fieldError(create.error, '/display_name') ?? null}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <RightsFields value={rights} onChange={setRights} error={create.error} />
        <Button type="submit" loading={create.isRunning}>
          Create invitation
        </Button>
      </Stack>
    </form>
  );
}
