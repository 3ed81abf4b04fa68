import { Button } from '@mantine/core';
import { IconFilterOff, IconKey } from '@tabler/icons-react';
import { EmptyState } from '../../ui/empty-state.tsx';

interface NoTokensProps {
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

export function NoTokens({ isFiltered, clear }: NoTokensProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No matching tokens"
        action={
          <Button variant="default" onClick={clear}>
            Show all tokens
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={IconKey}
      title="No tokens in your boundary"
      command="mesh token create 'ci deploy' --team platform --surface ci --environment production --expires 90d"
    >
      Each program that uses the API has a token of its own. Create one here or with the command.
    </EmptyState>
  );
}
