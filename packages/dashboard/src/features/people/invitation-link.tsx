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
        label="Hand over this link"
        warning={
          <Text size="sm">
            Whoever opens it first chooses the password, so send it where only {invitation.user.display_name} reads. It
            is shown now and never again, works once, and ends on <Moment at={invitation.expires} />.
          </Text>
        }
      />
      <Button onClick={onDone}>I have handed it over</Button>
    </Stack>
  );
}
