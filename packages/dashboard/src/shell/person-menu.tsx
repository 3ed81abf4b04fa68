import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconLogout, IconUser, IconUserCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { panel } from '../api/clients.ts';
import { leave, useSession } from '../session/session.tsx';
import { notify } from '../ui/notify.tsx';

/** Who is signed in, their account, and the way out. */
export function PersonMenu() {
  const { user } = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    try {
      await queries.cancelQueries();
      await panel.call('auth.logout', { body: {} });
      leave(queries); // first: the sign-in page sends a signed-in person back to where they were
      await navigate({ to: '/sign-in' });
    } catch (error) {
      notify.failed(error); // still signed in, and the page should not pretend otherwise
    }
  };
  return (
    <Menu position="bottom-end" width={220} withArrow>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Account of ${user.display_name}`}>
          <IconUserCircle size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={500} c="var(--mantine-color-text)" truncate>
            {user.display_name}
          </Text>
          <Text size="xs" truncate>
            {user.name}, {user.role}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<IconUser size={16} aria-hidden />} onClick={() => void navigate({ to: '/profile' })}>
          Your account
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
