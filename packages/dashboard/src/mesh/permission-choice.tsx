import { Checkbox, Fieldset, SimpleGrid, Stack } from '@mantine/core';
import type { PermissionInfo } from '@meshwork/contract';
import { choosable, groupPermissions } from './permission-groups.ts';

interface PermissionChoiceProps {
  readonly permissions: readonly PermissionInfo[];
  readonly chosen: ReadonlySet<string>;
  /** Absent: it can only be looked at. */
  readonly onChange?: (chosen: ReadonlySet<string>) => void;
}

/** The permissions of a role. A person can only add permissions they have, but can remove any. */
export function PermissionChoice({ permissions, chosen, onChange }: PermissionChoiceProps) {
  const change = (name: string, yes: boolean) => {
    const next = new Set(chosen);
    if (yes) next.add(name);
    else next.delete(name);
    onChange?.(next);
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="sm">
      {groupPermissions(choosable(permissions)).map(({ area, permissions: members }) => (
        <Fieldset key={area} legend={area}>
          <Stack gap="xs">
            {members.map(({ name, description, granted }) => (
              <Checkbox
                key={name}
                label={name.slice(area.length + 1)}
                description={
                  granted || onChange === undefined ? description : `${description} You do not have this permission.`
                }
                checked={chosen.has(name)}
                disabled={onChange === undefined || (!granted && !chosen.has(name))}
                onChange={(event) => change(name, event.currentTarget.checked)}
              />
            ))}
          </Stack>
        </Fieldset>
      ))}
    </SimpleGrid>
  );
}
