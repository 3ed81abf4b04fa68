import { Alert, Button, Group, Text } from '@mantine/core';
import type { Policy } from '@meshwork/contract';
import { IconAlertTriangle, IconEye, IconGitMerge, IconHistory } from '@tabler/icons-react';
import { WhoSaved } from './draft/conflict-dialog.tsx';
import type { Drafting } from './draft/use-draft.ts';

export interface Merging {
  readonly theirs: string;
  /** Places where both changed the same lines. */
  readonly conflicts: number;
}

interface NoticesProps {
  readonly policy: Policy;
  readonly draft: Drafting;
  readonly readOnly: boolean;
  /** Null: nothing is merged. */
  readonly merging: Merging | null;
  readonly onCompare: () => void;
  readonly onMerged: () => void;
}

/** What the author has to know before they continue. */
export function Notices({ policy, draft, readOnly, merging, onCompare, onMerged }: NoticesProps) {
  return (
    <>
      {readOnly && (
        <Alert color="gray" icon={<IconEye aria-hidden />} p="xs">
          You can view the policy. Changing it requires the permission acls:write.
        </Alert>
      )}
      {draft.is_behind && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="The policy was changed">
          <Group justify="space-between" gap="sm">
            <div>
              <WhoSaved policy={policy} />
              <Text size="sm">Your draft is based on version {draft.base.version}. It was not changed.</Text>
            </div>
            <Button size="xs" onClick={onCompare}>
              Compare
            </Button>
          </Group>
        </Alert>
      )}
      {merging !== null && (
        <Alert color="blue" icon={<IconGitMerge aria-hidden />} title="Merging">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              {mergedText(merging.conflicts)} Green lines are only in your draft, red lines only in theirs. Nothing is
              saved yet.
            </Text>
            <Button size="xs" variant="default" onClick={onMerged}>
              Done merging
            </Button>
          </Group>
        </Alert>
      )}
      {draft.is_restored && !draft.is_behind && merging === null && (
        <Alert color="blue" icon={<IconHistory aria-hidden />} p="xs">
          This is your unsaved draft. It has no effect until you save it.
        </Alert>
      )}
      {!draft.is_kept && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
          Your browser’s storage is full: reloading this page would lose your changes.
        </Alert>
      )}
    </>
  );
}

function mergedText(conflicts: number): string {
  if (conflicts === 0) return 'Your changes were merged with theirs without conflicts.';
  const places = conflicts === 1 ? 'In one place' : `In ${conflicts} places`;
  return `Your changes were merged with theirs. ${places} both changed the same lines: choose which to keep.`;
}
