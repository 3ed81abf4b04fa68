import { Alert, Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconRefresh } from '@tabler/icons-react';
import { Copyable } from './copyable.tsx';
import { saidOfError } from './said-of-error.ts';

interface ProblemNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** Something did not work: what, why, each fault by itself, and the id by which it is found in the log. */
export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const { title, detail, errors, request_id } = saidOfError(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertCircle aria-hidden />} title={title} role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {detail}
        </Text>
        {errors.length > 0 && (
          <List size="sm">
            {errors.map((one) => (
              <List.Item key={`${one.pointer} ${one.line ?? ''} ${one.detail}`}>
                {one.line === undefined ? <Code>{one.pointer}</Code> : `Line ${one.line}, column ${one.column ?? 1}:`}{' '}
                {one.detail}
              </List.Item>
            ))}
          </List>
        )}
        {request_id !== null && (
          <Group gap={6}>
            <Text size="xs">Request</Text>
            <Copyable value={request_id} />
          </Group>
        )}
        {onRetry !== undefined && (
          <Button size="xs" variant="default" leftSection={<IconRefresh size={14} aria-hidden />} onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
