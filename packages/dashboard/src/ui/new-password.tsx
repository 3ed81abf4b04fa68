import { PasswordInput, Stack } from '@mantine/core';
import { SHORTEST_PASSWORD } from '@meshwork/contract/vocabulary';

interface NewPasswordProps {
  readonly value: string;
  readonly again: string;
  readonly onChange: (value: string) => void;
  readonly onAgain: (again: string) => void;
  /** What the panel says about it. */
  readonly error?: string | undefined;
}

/** A new password, typed twice because it is hidden. */
export function NewPassword({ value, again, onChange, onAgain, error }: NewPasswordProps) {
  return (
    <Stack>
      <PasswordInput
        label="New password"
        description={`At least ${SHORTEST_PASSWORD} characters. Several unrelated words work well.`}
        autoComplete="new-password"
        required
        minLength={SHORTEST_PASSWORD}
        value={value}
        error={error ?? null}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <PasswordInput
        label="Repeat password"
        autoComplete="new-password"
        required
        value={again}
        error={again !== '' && again !== value ? 'Passwords do not match' : null}
        onChange={(event) => onAgain(event.currentTarget.value)}
      />
    </Stack>
  );
}

export function isReadyPassword(value: string, again: string): boolean {
  return value.length >= SHORTEST_PASSWORD && value === again;
}
