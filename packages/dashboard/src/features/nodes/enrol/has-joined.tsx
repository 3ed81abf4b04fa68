import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconHourglass } from '@tabler/icons-react';
import { ButtonLink } from '../../../ui/anchor-link.tsx';
import type { Joined } from './use-joined.ts';

interface HasJoinedProps {
  readonly name: string;
  readonly joined: Joined;
  readonly onDone: () => void;
}

/** The node has come: what it is, and what comes next. */
export function HasJoined({ name, joined: { id, node }, onDone }: HasJoinedProps) {
  const isPending = node?.state === 'pending';
  const Mark = isPending ? IconHourglass : IconCircleCheck;
  const colour = isPending ? 'var(--mantine-color-dimmed)' : 'var(--mantine-color-teal-6)';
  return (
    <Stack>
      <Group gap="sm" wrap="nowrap" align="flex-start" role="status">
        <Mark size={22} color={colour} aria-hidden style={{ flex: 'none' }} />
        <Text>
          {name} joined{node === undefined ? '.' : `, with the address ${node.address.replace('/32', '')}.`}
          {!isPending && node?.heartbeat === null && ' Waiting for its first heartbeat.'}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {isPending
          ? 'It needs approval: approve it on its page to give it access.'
          : 'The policy decides what it can reach. See its page for state, links and access.'}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <ButtonLink to="/nodes/$id" params={{ id }} onClick={onDone}>
          Open {name}
        </ButtonLink>
      </Group>
    </Stack>
  );
}
