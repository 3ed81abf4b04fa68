import { TextInput } from '@mantine/core';
import { USER_NAME_PATTERN } from '@meshwork/contract/vocabulary';

interface UserNameInputProps {
  readonly label: string;
  /** Whose name it is, and what it is for. */
  readonly description: string;
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly error: string | undefined;
  /** What a browser may fill in. */
  readonly autoComplete: 'username' | 'off';
  readonly isFirst?: boolean;
}

const NAME = new RegExp(USER_NAME_PATTERN);

export function isUserName(text: string): boolean {
  return NAME.test(text);
}

/** A new user name. Lowercased while it is typed, and checked before it is sent. */
export function UserNameInput(props: UserNameInputProps) {
  const { label, description, value, onChange, error, autoComplete, isFirst = false } = props;
  const isWrong = value !== '' && !isUserName(value);
  return (
    <TextInput
      label={label}
      description={`${description} Cannot be changed later.`}
      required
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      data-autofocus={isFirst ? true : undefined}
      value={value}
      error={isWrong ? 'Use up to 63 letters, digits and . _ @ + -, starting with a letter or digit.' : (error ?? null)}
      onChange={(event) => onChange(event.currentTarget.value.trim().toLowerCase())}
    />
  );
}
