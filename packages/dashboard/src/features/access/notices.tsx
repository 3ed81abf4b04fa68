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

/** What whoever writes has to know before they go on. */
export function Notices({ policy, draft, readOnly, merging, onCompare, onMerged }: NoticesProps) {
  return (
    <>
      {readOnly && (
        <Alert color="gray" icon={<IconEye aria-hidden />} p="xs">
          You may read the policy. Changing it needs the permission acls:write.
        </Alert>
      )}
      {draft.is_behind && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="The policy has changed meanwhile">
          <Group justify="space-between" gap="sm">
            <div>
              <WhoSaved policy={policy} />
              <Text size="sm">You began from version {draft.base.version}. Yours is untouched.</Text>
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
              {mergedText(merging.conflicts)} What stands on green is yours alone, on red what only they have. Nothing
              is saved yet.
            </Text>
            <Button size="xs" variant="default" onClick={onMerged}>
              Done merging
            </Button>
          </Group>
        </Alert>
      )}
      {draft.is_restored && !draft.is_behind && merging === null && (
        <Alert color="blue" icon={<IconHistory aria-hidden />} p="xs">
          This is what you typed before and did not save. It counts for nothing until you do.
        </Alert>
      )}
      {!draft.is_kept && (
        <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} p="xs">
          The browser has no room to keep your changes: a reload would lose them.
        </Alert>
      )}
    </>
  );
}

function mergedText(conflicts: number): string {
  if (conflicts === 0) return 'Your changes are on top of theirs; no line was changed by both.';
  const places = conflicts === 1 ? 'In one place' : `In ${conflicts} places`;
  return `Your changes are on top of theirs. ${places} both changed the same lines: choose there.`;
}
