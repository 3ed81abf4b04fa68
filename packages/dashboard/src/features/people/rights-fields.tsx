import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { useRead } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { fieldError } from '../../ui/said-of-error.ts';

export interface Rights {
  readonly role: string;
  readonly scope: Scope;
}

interface RightsFieldsProps {
  readonly value: Rights;
  readonly onChange: (value: Rights) => void;
  readonly error: unknown;
}

/** Only the panel itself has it, and it cannot be given away. */
const NOBODYS = 'panel';

/** What somebody may do, and where. */
export function RightsFields({ value, onChange, error }: RightsFieldsProps) {
  const roles = useRead('roles.list', { query: { limit: 200 } }, { enabled: useMay()('roles:read') });
  const offered = roles.data?.body.items.filter(({ name }) => name !== NOBODYS) ?? [];
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
        description={chosen?.description ?? 'What they may do.'}
        required
        searchable
        allowDeselect={false}
        data={offered.length === 0 ? [value.role] : offered.map(({ name }) => name)}
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
          Where it holds: nodes with these tags (team:, surface:, env:). A star is all of them. Changes that concern the
          whole mesh, such as the policy, need three stars.
        </Text>
      </div>
    </Stack>
  );
}
