import { Button, Group, Modal, Stack, Tabs, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useRead } from '../../../api/queries.ts';
import { LineDiff } from '../../../ui/line-diff.tsx';
import { Loaded } from '../../../ui/loaded.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Consequences } from './consequences.tsx';

interface ReviewDialogProps {
  readonly title: string;
  /** On the button. */
  readonly action: string;
  readonly description?: ReactNode;
  /** What is in effect now, and what would be. */
  readonly before: string;
  readonly after: string;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onSave: (note: string) => void;
}

/** Looks before it leaps: what a text would open and close, line by line what is different, and then why. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, action, description, before, after, isRunning, error, onClose, onSave } = props;
  const [note, setNote] = useState('');
  const preview = useRead('acls.preview', { body: after });
  const fails = (preview.data?.body.failed_tests.length ?? 0) > 0;
  return (
    <Modal opened onClose={onClose} title={title} size="75rem">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (preview.data !== undefined && !fails) onSave(note.trim());
        }}
      >
        <Stack>
          {description}
          <Tabs defaultValue="meaning" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="meaning">Access changes</Tabs.Tab>
              <Tabs.Tab value="lines">Changed lines</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="meaning" pt="md">
              <Loaded query={preview}>{(body) => <Consequences preview={body} />}</Loaded>
            </Tabs.Panel>
            <Tabs.Panel value="lines" pt="md">
              <LineDiff before={before} after={after} />
            </Tabs.Panel>
          </Tabs>
          <TextInput
            label="Note"
            description="Shown in the version history"
            placeholder="developers may reach git"
            value={note}
            maxLength={500}
            data-autofocus
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {error !== null && error !== undefined && <ProblemNotice error={error} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isRunning} disabled={preview.data === undefined || fails}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
