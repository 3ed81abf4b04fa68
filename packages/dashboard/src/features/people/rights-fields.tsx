import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { useAssignableRoles } from '../../mesh/assignable-roles.ts';
import { fieldError } from '../../ui/said-of-error.ts';
import { WordsField } from '../../ui/words-field.tsx';

export interface Rights {
  readonly role: string;
  readonly scope: Scope;
  readonly groups: readonly string[];
}

interface RightsFieldsProps {
  readonly value: Rights;
  readonly onChange: (value: Rights) => void;
  readonly error: unknown;
}

/** What a person may do, and where. */
export function RightsFields({ value, onChange, error }: RightsFieldsProps) {
  const offered = useAssignableRoles();
  const chosen = offered.find(({ name }) => name === value.role);
  const member = (name: keyof Scope, label: string) => (
    <TextInput
      label={label}
      required
      style={{ flex: '1 1 7rem' }}
      value={value.scope[name]}
      error={fieldError(error, `/scope/${name}`) ?? null}
      onChange={(event) => onChange({ ...value, scope: { ...value.scope, [name]: event.currentTarget.value } })}
    />
  );
  return (
    <Stack>
      <Select
        label="Role"
        description={chosen?.description ?? 'What they can do.'}
        required
        searchable
        allowDeselect={false}
        data={[...new Set([...offered.map(({ name }) => name), value.role])]}
        value={value.role}
        error={fieldError(error, '/role') ?? null}
        onChange={(role) => onChange({ ...value, role: role ?? value.role })}
      />
      <div>
        <Group gap="sm" align="flex-start">
          {member('team', 'Team')}
          {member('surface', 'Surface')}
          {member('environment', 'Environment')}
        </Group>
        <Text size="xs" c="dimmed" mt={4}>
          Applies to nodes with these tags (team:, surface:, env:). Use * for all. Changes to the whole mesh, such as
          the policy, require * in all three.
        </Text>
      </div>
      <WordsField
        label="Groups"
        description="For ingresses that require sign-in: they let members of groups enter."
        placeholder="staff"
        initial={value.groups}
        choices={[]}
        error={fieldError(error, '/groups') ?? null}
        onChange={(groups) => onChange({ ...value, groups })}
      />
    </Stack>
  );
}
