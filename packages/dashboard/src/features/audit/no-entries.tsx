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
        title="No entry is like that"
        action={
          <Button variant="default" onClick={clear}>
            Show the whole trail
          </Button>
        }
      >
        Ids have to be whole. Entries outside your boundary, and those past their retention, are not found.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconListCheck} title="Nothing within your boundary yet" command="mesh audit list">
      Every change and every refusal comes here by itself.
    </EmptyState>
  );
}
