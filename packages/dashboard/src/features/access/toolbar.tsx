import { Button, Group, Text } from '@mantine/core';
import { IconDeviceFloppy, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import type { Drafting } from './draft/use-draft.ts';
import type { Checked } from './use-validation.ts';

interface ToolbarProps {
  readonly readOnly: boolean;
  readonly draft: Drafting;
  readonly checked: Checked;
  readonly onAddGrant: () => void;
  readonly onFind: () => void;
  readonly onDiscard: () => void;
  readonly onReview: () => void;
}

export function Toolbar({ readOnly, draft, checked, onAddGrant, onFind, onDiscard, onReview }: ToolbarProps) {
  const canSave = draft.is_changed && checked.is_valid === true && !checked.is_checking;
  return (
    <Group gap="xs" justify="space-between">
      <Group gap="xs">
        {!readOnly && (
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAddGrant}>
            Add grant
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<IconSearch size={14} aria-hidden />} onClick={onFind}>
          Find
        </Button>
      </Group>
      {!readOnly && (
        <Group gap="xs">
          <Text size="xs" c="dimmed" role="status">
            {standing(draft, checked)}
          </Text>
          {draft.is_changed && (
            <Button
              size="xs"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={onDiscard}
            >
              Discard
            </Button>
          )}
          <Button
            size="xs"
            leftSection={<IconDeviceFloppy size={14} aria-hidden />}
            disabled={!canSave && !draft.is_behind}
            onClick={onReview}
          >
            Review and save
          </Button>
        </Group>
      )}
    </Group>
  );
}

/** What keeps it from being saved, or that nothing does. */
function standing(draft: Drafting, checked: Checked): string {
  if (!draft.is_changed) return 'No changes';
  if (checked.is_checking) return 'Unsaved, checking';
  if (checked.is_valid === undefined) return 'Unsaved';
  if (checked.is_valid) return 'Unsaved, no problems';
  // Tests are run once the text can be read: there are problems, or tests that fail, never both.
  const { length } = checked.faults;
  if (length > 0 && checked.faults.every(({ is_test }) => is_test)) {
    return `Unsaved, ${length} ${length === 1 ? 'test fails' : 'tests fail'}`;
  }
  return `Unsaved, ${length} ${length === 1 ? 'problem' : 'problems'}`;
}
