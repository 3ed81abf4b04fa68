import { Button } from '@mantine/core';
import { IconActivity, IconFilterOff } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NoEventsProps {
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function NoEvents({ isFiltered, clear }: NoEventsProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No matching events"
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      >
        Matching events appear here as they arrive.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconActivity} title="No events since you opened this page" command="mesh events">
      Events appear here as they arrive. You can also follow them in a terminal.
    </EmptyState>
  );
}
