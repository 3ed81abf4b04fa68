import { Button, Group, Modal, Stack, Tabs, Text } from '@mantine/core';
import type { Policy } from '@meshwork/contract';
import { Actor } from '../../../ui/actor.tsx';
import { LineDiff } from '../../../ui/line-diff.tsx';
import { Ago } from '../../../ui/moment.tsx';

interface ConflictDialogProps {
  /** What is in effect now. */
  readonly theirs: Policy;
  /** What was begun from. */
  readonly base: string;
  readonly mine: string;
  readonly onClose: () => void;
  readonly onTakeTheirs: () => void;
  readonly onMerge: () => void;
  readonly onOverwrite: () => void;
}

/** Another person saved meanwhile. Nothing that was typed is lost, whatever is chosen. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { theirs, base, mine, onClose, onTakeTheirs, onMerge, onOverwrite } = props;
  return (
    <Modal opened onClose={onClose} title="The policy was changed" size="75rem">
      <Stack>
        <WhoSaved policy={theirs} />
        <Tabs defaultValue="theirs" keepMounted={false}>
          <Tabs.List>
            <Tabs.Tab value="theirs">Their changes</Tabs.Tab>
            <Tabs.Tab value="both">Compare drafts</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="theirs" pt="md">
            <LineDiff before={base} after={theirs.text} label="Their changes" />
          </Tabs.Panel>
          <Tabs.Panel value="both" pt="md">
            <LineDiff before={theirs.text} after={mine} label="Compare drafts" />
          </Tabs.Panel>
        </Tabs>
        <Text size="sm" c="dimmed">
          Merging combines your changes with theirs and marks conflicts. Keeping yours undoes what they changed, after
          another look at what that means. Taking theirs puts yours aside; undo in the editor brings it back.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button variant="default" onClick={onOverwrite}>
            Keep mine
          </Button>
          <Button onClick={onMerge} data-autofocus>
            Merge
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

export function WhoSaved({ policy: { version, created_at, created_by, note } }: { readonly policy: Policy }) {
  return (
    <Text size="sm" component="div">
      Version {version} was saved{' '}
      {created_by !== null && (
        <>
          by <Actor actor={created_by} />{' '}
        </>
      )}
      {created_at !== null && <Ago at={created_at} />}
      {note !== null && `: ${note}`}
    </Text>
  );
}
