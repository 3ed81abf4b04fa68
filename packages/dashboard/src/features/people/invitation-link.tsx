import { Button, Stack, Text } from '@mantine/core';
import type { Invitation } from '@meshwork/contract';
import { Moment } from '../../ui/moment.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';

interface InvitationLinkProps {
  readonly invitation: Invitation;
  readonly onDone: () => void;
}

/** The link that opens the account, once. */
export function InvitationLink({ invitation, onDone }: InvitationLinkProps) {
  return (
    <Stack>
      <SecretOnce
        secret={invitation.url}
        label="Invitation link"
        warning={
          <Text size="sm">
            Anyone with this link can set the password, so send it to {invitation.user.display_name} only. It is shown
            now and never again, works once, and ends on <Moment at={invitation.expires} />.
          </Text>
        }
      />
      <Button onClick={onDone}>Done</Button>
    </Stack>
  );
}
