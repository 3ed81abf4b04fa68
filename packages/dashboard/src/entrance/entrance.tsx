/** The frame of the pages in front of the sign-in. */
import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../shell/logo.tsx';

interface EntranceProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children: ReactNode;
}

export function Entrance({ title, text, children }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · Meshwork`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Paper withBorder p={{ base: 'md', xs: 'xl' }} w="100%" maw={420}>
        <Stack>
          <Stack gap="xs" align="center" ta="center">
            <Logo size={44} />
            <Title order={1} size="h3">
              {title}
            </Title>
            {text !== undefined && (
              <Text size="sm" c="dimmed" component="div">
                {text}
              </Text>
            )}
          </Stack>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
