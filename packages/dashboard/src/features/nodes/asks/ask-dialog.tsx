import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';

interface AskDialogProps {
  readonly title: string;
  readonly consequence: ReactNode;
  /** On the button. */
  readonly action: string;
  readonly danger?: boolean;
  /** False: what was typed cannot be sent. */
  readonly isReady?: boolean;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What is asked of a node with more than a yes: says what follows, takes what is needed, stays until it worked. */
export function AskDialog(props: AskDialogProps) {
  const { title, consequence, action, danger = false, isReady = true, isRunning, error, onSubmit, onClose } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onSubmit().then(onClose, () => undefined /* shown below, by `error` */);
  };
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{consequence}</Text>
          {props.children}
          {error !== null && <ProblemNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" {...(danger ? { color: 'red' } : {})} disabled={!isReady} loading={isRunning}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
