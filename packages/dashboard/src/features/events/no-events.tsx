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
        title="No event like that yet"
        action={
          <Button variant="default" onClick={clear}>
            Show all events
          </Button>
        }
      >
        Those that come and match will show here.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconActivity} title="Nothing has happened since this page was opened" command="mesh events">
      The next change shows here by itself. A terminal can follow the same stream.
    </EmptyState>
  );
}
