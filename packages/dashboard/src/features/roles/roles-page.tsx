import { Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { May } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';
import { RoleList } from './role-list.tsx';

export default function RolesPage() {
  const roles = useRead('roles.list', { query: { limit: 200 } });
  const permissions = useRead('self.permissions');
  return (
    <Page
      title="Roles"
      subtitle="A role is a named set of permissions. Each person and token has one."
      actions={
        <May permission="roles:write">
          <ButtonLink to="/roles/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New role
          </ButtonLink>
        </May>
      }
    >
      <Loaded query={roles}>
        {({ items, next_cursor }) => (
          <>
            <RoleList roles={items} />
            {next_cursor !== null && <Text size="sm">Showing the first 200 roles.</Text>}
            <Section title="Compare roles" description="Permissions of each role.">
              <Loaded query={permissions}>
                {({ items: all }) => <PermissionMatrix roles={items} permissions={all} />}
              </Loaded>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
