import { ActionIcon, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { DEFAULT_ROLE } from '@meshwork/contract/vocabulary';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useAssignableRoles } from '../../mesh/assignable-roles.ts';
import { fieldError } from '../../ui/said-of-error.ts';

interface SurfaceRolesProps {
  readonly current: Readonly<Record<string, string>>;
  /** Null: the entry is removed. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly error: unknown;
  readonly onChange: (surface: string, role: string | null) => void;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

/** The default role of tokens, by surface. */
export function SurfaceRoles({ current, changes, error, onChange }: SurfaceRolesProps) {
  const [added, setAdded] = useState('');
  const roles = useAssignableRoles().map(({ name }) => name);
  const entries = new Map<string, string | null>([...Object.entries(current), ...changes]);
  const shown = [...entries].filter((entry): entry is [string, string] => entry[1] !== null).sort();
  const gone = [...changes].filter(([, role]) => role === null).map(([surface]) => surface);
  const canAdd = NAME.test(added) && (entries.get(added) ?? null) === null;
  const add = () => {
    onChange(added, DEFAULT_ROLE);
    setAdded('');
  };
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          Roles by surface
        </Text>
        <Text size="xs" c="dimmed">
          The role of a token that is created without one. Surfaces that are not listed get {DEFAULT_ROLE}.
        </Text>
      </div>
      {shown.map(([surface, role]) => (
        <Group key={surface} gap="xs" wrap="nowrap" align="flex-start">
          <Text size="sm" ff="monospace" w="8rem" pt={7} style={{ overflowWrap: 'anywhere' }}>
            {surface}
          </Text>
          <Select
            aria-label={`Role for the surface ${surface}`}
            style={{ flex: 1 }}
            allowDeselect={false}
            data={[...new Set([...roles, role])]}
            value={role}
            error={fieldError(error, `/tokens/surface_roles/${surface}`) ?? null}
            onChange={(next) => onChange(surface, next ?? role)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove the surface ${surface}`}
            onClick={() => onChange(surface, null)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      {gone.map((surface) => (
        <Group key={surface} gap="xs">
          <Text size="sm" c="dimmed">
            <s>{surface}</s> will be removed
          </Text>
          <Button variant="subtle" size="compact-xs" onClick={() => onChange(surface, current[surface] ?? null)}>
            Keep
          </Button>
        </Group>
      ))}
      <Group gap="xs" align="flex-start">
        <TextInput
          aria-label="Another surface"
          placeholder="Another surface"
          autoComplete="off"
          spellCheck={false}
          value={added}
          error={added === '' || NAME.test(added) ? null : 'Lower-case letters, digits, dots and dashes'}
          onChange={(event) => setAdded(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault(); // it is about this field, not about the whole form
            if (canAdd) add();
          }}
        />
        <Button variant="default" disabled={!canAdd} leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          Add
        </Button>
      </Group>
    </Stack>
  );
}
