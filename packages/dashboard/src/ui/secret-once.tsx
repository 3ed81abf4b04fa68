import { Alert, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Command } from './command.tsx';

interface SecretOnceProps {
  readonly secret: string;
  readonly label: string;
  /** What is lost with it: it is not kept anywhere. */
  readonly warning: ReactNode;
}

/** A secret that is shown now and never again. */
export function SecretOnce({ secret, label, warning }: SecretOnceProps) {
  return (
    <Alert color="yellow" variant="light" icon={<IconKey aria-hidden />} title={label}>
      <Stack gap="xs">
        <div>{warning}</div>
        <Command text={secret} />
      </Stack>
    </Alert>
  );
}
