import { Alert, Loader, Select } from '@mantine/core';
import type { Node, Relay } from '@meshwork/contract';
import { IconInfoCircle, IconLock, IconServer2 } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { useList } from '../../../api/queries.ts';
import { useMay } from '../../../session/session.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { UseDrawing } from './use-drawing.tsx';
import { UseTable } from './use-table.tsx';
import { EACH, groupingsOf, whoUses } from './who-uses.ts';

interface RelayMapProps {
  readonly relays: readonly Relay[];
  /** As of the address bar. Null: the default. */
  readonly grouping: string | null;
  readonly onGroup: (grouping: string | null) => void;
}

/** Ours: as many as the topology draws. They are read two hundred at a time. */
const MOST_NODES = 2_000;
const WORDS: Readonly<Record<string, string>> = { [EACH]: 'Each node', env: 'By environment' };

/** Nodes on one side, relays on the other, and the same as a table. */
export function RelayMap({ relays, grouping, onGroup }: RelayMapProps) {
  const permitted = useMay()('nodes:read');
  const { nodes, hasMore, isLoading, error, again } = useNodes(permitted);
  const ways = useMemo(() => groupingsOf(nodes), [nodes]);
  const way = ways.find((one) => one === grouping) ?? ways[0] ?? EACH;
  const used = useMemo(() => whoUses(nodes, way), [nodes, way]);
  if (!permitted) {
    return (
      <EmptyState icon={IconLock} title="Your role does not show nodes">
        The map needs the permission <code>nodes:read</code>.
      </EmptyState>
    );
  }
  if (error !== null) return <ProblemNotice error={error} onRetry={again} />;
  if (isLoading) return <Loader aria-label="Loading" />;
  if (nodes.length === 0) return <EmptyState icon={IconServer2} title="No nodes yet" />;
  return (
    <>
      <Select
        aria-label="Group nodes"
        w="12rem"
        allowDeselect={false}
        data={ways.map((value) => ({ value, label: WORDS[value] ?? `By ${value}` }))}
        value={way}
        onChange={(value) => onGroup(value === ways[0] ? null : value)}
      />
      {hasMore && (
        <Alert color="yellow" variant="light" icon={<IconInfoCircle aria-hidden />} title="Showing part of the mesh">
          The first {nodes.length.toLocaleString()} nodes. The list of relays counts all of them.
        </Alert>
      )}
      <UseDrawing relays={relays} groups={used.groups} uses={used.uses} />
      <UseTable groups={used.groups} uses={used.uses} />
    </>
  );
}

/** All nodes, up to a number that can still be read in one go. */
function useNodes(enabled: boolean) {
  const { items, hasMore, isLoading, isLoadingMore, error, again, more } = useList('nodes.list', undefined, {
    enabled,
  });
  const wantsMore = hasMore && !isLoadingMore && error === null && items.length < MOST_NODES;
  useEffect(() => {
    if (wantsMore) more();
  });
  const nodes: readonly Node[] = items;
  return { nodes, hasMore, isLoading: isLoading || (hasMore && items.length < MOST_NODES), error, again };
}
