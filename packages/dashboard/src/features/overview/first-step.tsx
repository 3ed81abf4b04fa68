import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PageLink } from '../../feature/feature.ts';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { Command } from '../../ui/command.tsx';

interface FirstStepProps {
  readonly title: string;
  /** Where it is done in the dashboard. Absent: the reader has no permission. */
  readonly place?: PageLink | undefined;
  readonly command: string;
  readonly children: ReactNode;
}

/** One step, by hand or by the command line. */
export function FirstStep({ title, place, command, children }: FirstStepProps) {
  return (
    <li>
      <Stack gap="xs" align="flex-start">
        <Title order={3} size="h5">
          {title}
        </Title>
        <Text size="sm" maw="46rem">
          {children}
        </Text>
        {place !== undefined && (
          <ButtonLink to={place.to} search={place.search ?? {}}>
            {place.label}
          </ButtonLink>
        )}
        <Command text={command} label="On the command line" />
      </Stack>
    </li>
  );
}
