import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Command } from './command.tsx';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What to type to change that. */
  readonly command?: string;
  readonly action?: ReactNode;
  readonly children?: ReactNode;
}

/** There is nothing here yet, and this is what to do next. */
export function EmptyState({ icon: Shown, title, command, action, children }: EmptyStateProps) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" ta="center">
      <ThemeIcon size={48} radius="xl" variant="light" color="gray">
        <Shown size={26} aria-hidden />
      </ThemeIcon>
      <Text fw={600}>{title}</Text>
      {children !== undefined && (
        <Text c="dimmed" size="sm" maw="34rem" component="div">
          {children}
        </Text>
      )}
      {command !== undefined && <Command text={command} />}
      {action}
    </Stack>
  );
}
