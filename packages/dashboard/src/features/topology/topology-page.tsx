import { Alert, Button, SegmentedControl } from '@mantine/core';
import type { PeerGraph } from '@meshwork/contract';
import { MAX_GRAPH_NODES, NODE_STATES } from '@meshwork/contract/vocabulary';
import { IconInfoCircle, IconTopologyStar3 } from '@tabler/icons-react';
import { useRead } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { isGrouping, usualGrouping } from './grouping.ts';
import { LinkTable } from './link-table.tsx';
import { MeshView } from './mesh-view.tsx';
import { isTag, TOPOLOGY_FILTERS, TopologyFilters } from './topology-filters.tsx';

export default function TopologyPage() {
  const [filters, change] = useFilters([...TOPOLOGY_FILTERS, 'group', 'view', 'node', 'limit']);
  const { q, tag } = filters;
  const query = {
    q,
    tag: isTag(tag) ? tag : undefined,
    state: NODE_STATES.find((one) => one === filters.state),
    limit: filters.limit === 'most' ? MAX_GRAPH_NODES : undefined,
  };
  const graph = useRead('peers.graph', { query }, { keep: true });
  const isList = filters.view === 'list';
  const grouping = isGrouping(filters.group) ? filters.group : usualGrouping(graph.data?.body.nodes ?? []);
  const isFiltered = TOPOLOGY_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <Page
      title="Topology"
      subtitle={graph.data === undefined ? undefined : countWords(graph.data.body)}
      actions={
        <SegmentedControl
          aria-label="View"
          data={[
            { value: 'drawing', label: 'Map' },
            { value: 'list', label: 'List of links' },
          ]}
          value={isList ? 'list' : 'drawing'}
          onChange={(view) => change({ view: view === 'list' ? view : null })}
        />
      }
    >
      <TopologyFilters filters={filters} change={change} grouping={isList ? null : grouping} />
      <Loaded query={graph}>
        {(body) => (
          <>
            {body.truncated && (
              <Truncated graph={body} showMore={query.limit === undefined ? () => change({ limit: 'most' }) : null} />
            )}
            {body.nodes.length === 0 ? (
              <NothingToDraw isFiltered={isFiltered} />
            ) : isList ? (
              <LinkTable graph={body} />
            ) : (
              <MeshView
                graph={body}
                grouping={grouping}
                selected={filters.node ?? null}
                select={(node) => change({ node })}
              />
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function countWords({ nodes, links }: PeerGraph): string {
  return `${nodes.length.toLocaleString()} nodes, ${links.length.toLocaleString()} links`;
}

interface TruncatedProps {
  readonly graph: PeerGraph;
  /** Null: no more can be had. */
  readonly showMore: (() => void) | null;
}

function Truncated({ graph, showMore }: TruncatedProps) {
  const { nodes, links, nodes_total, links_total } = graph;
  return (
    <Alert color="yellow" variant="light" icon={<IconInfoCircle aria-hidden />} title="Showing part of the mesh">
      {nodes.length.toLocaleString()} of {nodes_total.toLocaleString()} nodes, and {links.length.toLocaleString()} of at
      least {links_total.toLocaleString()} links between them. Filter by tag, state or name.{' '}
      {showMore !== null && nodes.length < nodes_total && (
        <Button size="compact-xs" variant="default" onClick={showMore}>
          Show up to {MAX_GRAPH_NODES.toLocaleString()} nodes
        </Button>
      )}
    </Alert>
  );
}

function NothingToDraw({ isFiltered }: { readonly isFiltered: boolean }) {
  return isFiltered ? (
    <EmptyState icon={IconTopologyStar3} title="No matching nodes" />
  ) : (
    <EmptyState icon={IconTopologyStar3} title="No nodes yet" command="mesh lab up --nodes 4">
      Nodes and their links appear here as they join.
    </EmptyState>
  );
}
