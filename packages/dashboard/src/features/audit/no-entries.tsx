import { Button } from '@mantine/core';
import { IconFilterOff, IconListCheck } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function NoEntries({ isFiltered, clear }: NoEntriesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No matching entries"
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        Enter IDs in full. Entries outside your boundary or past their retention are not shown.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconListCheck} title="No entries in your boundary yet" command="mesh audit list">
      Every change and every refused request appears here.
    </EmptyState>
  );
}
