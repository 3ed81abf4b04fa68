import { Button } from '@mantine/core';
import { IconFilterOff, IconServer2 } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NoNodesProps {
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function NoNodes({ isFiltered, clear }: NoNodesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No matching nodes"
        action={
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState icon={IconServer2} title="No nodes yet" command="mesh lab up --nodes 2">
      Enrol a machine, or start two real nodes on the coordinator’s machine to try it out.
    </EmptyState>
  );
}
