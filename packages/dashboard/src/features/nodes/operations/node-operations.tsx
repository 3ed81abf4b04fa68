import { Button, Stack, Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { isOpen } from '@meshwork/contract/vocabulary';
import { useEffect, useState } from 'react';
import { useList } from '../../../api/queries.ts';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { OperationCard } from './operation-card.tsx';

/** Ours: this many finished ones are shown at first. */
const SHOWN = 4;

/** What was asked of the node, newest first, with what is still under way. */
export function NodeOperations({ node }: { readonly node: Node }) {
  const operations = useList('operations.list', { query: { node: node.id } });
  const [isWhole, setWhole] = useState(false);
  const { hasMore, more } = operations;
  // They come oldest first, and it is the newest that people look for.
  useEffect(() => {
    if (hasMore) more();
  });
  const newest = operations.items.toReversed();
  const open = newest.filter(({ state }) => isOpen(state));
  const over = newest.filter(({ state }) => !isOpen(state));
  const shown = isWhole ? over : over.slice(0, SHOWN);
  return (
    <Section title="Operations">
      {operations.error !== null && <ProblemNotice error={operations.error} onRetry={operations.again} />}
      {!operations.isLoading && newest.length === 0 && (
        <Text size="sm" c="dimmed">
          No operations.
        </Text>
      )}
      <Stack gap="sm">
        {[...open, ...shown].map((operation) => (
          <OperationCard key={operation.id} operation={operation} />
        ))}
      </Stack>
      {shown.length < over.length && (
        <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
          Show {over.length - shown.length} more
        </Button>
      )}
    </Section>
  );
}
