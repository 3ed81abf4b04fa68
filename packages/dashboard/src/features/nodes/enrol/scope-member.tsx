import { TextInput } from '@mantine/core';
import type { Scope } from '@meshwork/contract';

interface ScopeMemberProps {
  readonly member: keyof Scope;
  /** The person's own boundary. Nodes can only be enrolled inside of it. */
  readonly own: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const LABELS: Readonly<Record<keyof Scope, string>> = {
  team: 'Team',
  surface: 'Surface',
  environment: 'Environment',
};
const NAME = /^(?:\*|[a-z0-9][a-z0-9._-]{0,62})$/;

export function ScopeMember({ member, own, value, onChange }: ScopeMemberProps) {
  const isBounded = own !== '*';
  return (
    <TextInput
      label={LABELS[member]}
      value={value}
      required
      readOnly={isBounded}
      autoComplete="off"
      spellCheck={false}
      error={NAME.test(value) ? null : 'Use a lowercase name, or *'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
