import { Alert, List } from '@mantine/core';
import type { PolicyWarning } from '@meshwork/contract';
import { IconAlertTriangle } from '@tabler/icons-react';

/** Nodes that are named; the rest are counted. */
const NAMED = 5;

/** Tags that get a meaning, and are set already where they could not be set then. */
export function Warnings({ warnings }: { readonly warnings: readonly PolicyWarning[] }) {
  return (
    <Alert
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Nodes already have these tags"
    >
      <List size="sm">
        {warnings.map(({ tag, detail, nodes, count }) => (
          <List.Item key={tag} style={{ overflowWrap: 'anywhere' }}>
            {detail.replace(/\.$/, ':')} {namedText(nodes, count)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function namedText(nodes: PolicyWarning['nodes'], count: number): string {
  const named = nodes.slice(0, NAMED).map(({ name }) => name);
  return count > named.length ? `${named.join(', ')} and ${count - named.length} more.` : `${named.join(', ')}.`;
}
