import { ActionIcon, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

interface ReadAnewProps {
  readonly query: { readonly refetch: () => Promise<unknown> };
}

/** For numbers that change with every heartbeat, of which no event tells. */
export function ReadAnew({ query }: ReadAnewProps) {
  return (
    <Tooltip label="Read anew">
      <ActionIcon variant="default" aria-label="Read anew" onClick={() => void query.refetch()}>
        <IconRefresh size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
