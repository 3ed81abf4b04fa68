import { Button, Stack, Text } from '@mantine/core';
import { SecretOnce } from '../../ui/secret-once.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Stack>
      <SecretOnce
        secret={codes.join('\n')}
        label="Keep these for the day the authenticator is lost"
        warning={<Text size="sm">Each signs you in once in place of a code. They are shown now and never again.</Text>}
      />
      <Button onClick={onDone}>I have kept them</Button>
    </Stack>
  );
}
