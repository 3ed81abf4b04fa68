import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { Role } from '@meshwork/contract';
import { IconLock, IconPencil } from '@tabler/icons-react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Badge } from '../../ui/badge.tsx';

/** Every role in a few words. */
export function RoleList({ roles }: { readonly roles: readonly Role[] }) {
  return (
    <SimpleGrid
      component="ul"
      p={0}
      m={0}
      cols={{ base: 1, sm: 2, lg: 3, xl: 4 }}
      spacing="sm"
      style={{ listStyle: 'none' }}
    >
      {roles.map(({ name, description, permissions, built_in }) => (
        <Paper component="li" key={name} withBorder p="sm">
          <Group justify="space-between" gap="xs">
            <AnchorLink to="/roles/$name" params={{ name }} fw={600}>
              {name}
            </AnchorLink>
            <Badge
              tone={built_in ? 'off' : 'busy'}
              icon={built_in ? IconLock : IconPencil}
              word={built_in ? 'Built in' : 'Custom'}
            />
          </Group>
          <Text size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
            {description === '' ? 'No description.' : description}
          </Text>
          <Text size="xs" c="dimmed" mt={4}>
            {permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
