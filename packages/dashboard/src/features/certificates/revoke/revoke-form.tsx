import { Button, Group, List, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';

interface RevokeFormProps {
  readonly title: string;
  /** What follows from it, a line each. */
  readonly consequences: readonly ReactNode[];
  /** On the button. */
  readonly action: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => Promise<unknown>;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly children: ReactNode;
}

/** A dialog that says what follows, takes the reason, and stays until it worked. */
export function RevokeForm(props: RevokeFormProps) {
  const { title, consequences, action, opened, onClose, onSubmit, isRunning, error, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit().then(onClose, () => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <List size="sm" spacing={4} style={{ overflowWrap: 'anywhere' }}>
            {consequences.map((consequence, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one dialog do not move
              <List.Item key={index}>{consequence}</List.Item>
            ))}
          </List>
          {children}
          {error !== null && <ProblemNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isRunning}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
