import { Alert, Stack } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { PermissionChoice } from '../../mesh/permission-choice.tsx';
import { useMay } from '../../session/session.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Section } from '../../ui/section.tsx';
import { CustomRole } from './custom-role.tsx';

export default function RolePage() {
  const { name } = useParams({ strict: false }) as { readonly name: string };
  const role = useRead('roles.show', { params: { name } });
  const permissions = useRead('self.permissions');
  const writes = useMay()('roles:write');
  return (
    <Page title={name} subtitle={role.data?.body.description} back={{ to: '/roles', label: 'Roles' }}>
      <Loaded query={role}>
        {(body, { etag }) => (
          <Loaded query={permissions}>
            {({ items }) =>
              body.built_in || !writes ? (
                <Stack gap="lg">
                  {body.built_in && (
                    <Alert color="gray" icon={<IconLock aria-hidden />} title="Built in">
                      Built-in roles cannot be changed. You can create a custom role based on this one.
                    </Alert>
                  )}
                  <Section title="Permissions">
                    <PermissionChoice permissions={items} chosen={new Set(body.permissions)} />
                  </Section>
                </Stack>
              ) : (
                <CustomRole key={etag} role={body} etag={etag} permissions={items} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
