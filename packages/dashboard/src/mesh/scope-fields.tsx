import { Group, Text, TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';
import { fieldError } from '../ui/said-of-error.ts';

interface ScopeFieldsProps {
  /** What the boundary means for what it is given to, as a sentence. */
  readonly meaning: string;
  /** The person's own boundary: nothing that they make can have a wider one. */
  readonly own: Scope;
  readonly value: Scope;
  readonly onChange: (value: Scope) => void;
  readonly error: unknown;
}

const LABELS: Readonly<Record<keyof Scope, string>> = { team: 'Team', surface: 'Surface', environment: 'Environment' };
/** As the contract has it, in words that help. */
const NAME = /^(?:\*|[a-z0-9][a-z0-9._-]{0,62})$/;
const NAME_WORDS = 'Use a lowercase name, or *';
const MEMBERS = Object.keys(LABELS) as readonly (keyof Scope)[];

export function ScopeFields({ meaning, own, value, onChange, error }: ScopeFieldsProps) {
  const isEverywhere = MEMBERS.every((member) => value[member] === '*');
  return (
    <div>
      <Group gap="sm" align="flex-start">
        {MEMBERS.map((member) => (
          <TextInput
            key={member}
            label={LABELS[member]}
            required
            style={{ flex: '1 1 7rem' }}
            autoComplete="off"
            spellCheck={false}
            readOnly={own[member] !== '*'}
            value={value[member]}
            error={NAME.test(value[member]) ? (fieldError(error, `/scope/${member}`) ?? null) : NAME_WORDS}
            onChange={(event) => onChange({ ...value, [member]: event.currentTarget.value.trim() })}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {meaning} Use * for all.
        {isEverywhere && ' This is the whole mesh; choose a team or environment if that is enough.'}
        {MEMBERS.some((member) => own[member] !== '*') && ' Fixed values are your own boundary.'}
      </Text>
    </div>
  );
}
