import type { PeerGraph } from '@meshwork/contract';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { PATH_WORDS } from '../../mesh/link-paths.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkState, NodeState } from '../../ui/state.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { byTrouble } from './link-look.ts';

type GraphNode = PeerGraph['nodes'][number];
type GraphLink = PeerGraph['links'][number];

interface Row {
  readonly a: GraphNode;
  readonly b: GraphNode;
  readonly link: GraphLink;
}

const nodeLink = ({ id, name }: GraphNode) => (
  <AnchorLink to="/nodes/$id" params={{ id }} inherit>
    {name}
  </AnchorLink>
);

const linkPath = ({ a, b, link }: Row) => (
  <AnchorLink
    to="/links/$a/$b"
    params={{ a: a.name, b: b.name }}
    aria-label={`${PATH_WORDS[link.path]}: link of ${a.name} and ${b.name}`}
  >
    {PATH_WORDS[link.path]}
  </AnchorLink>
);

const COLUMNS: readonly Column<Row>[] = [
  { id: 'a', header: 'Between', render: ({ a }) => nodeLink(a) },
  { id: 'a_state', header: 'State', width: '8rem', priority: 3, render: ({ a }) => <NodeState state={a.state} /> },
  { id: 'b', header: 'And', render: ({ b }) => nodeLink(b) },
  { id: 'b_state', header: 'State', width: '8rem', priority: 3, render: ({ b }) => <NodeState state={b.state} /> },
  { id: 'link', header: 'Link', width: '7rem', render: ({ link }) => <LinkState state={link.state} /> },
  { id: 'path', header: 'Path', priority: 2, render: linkPath },
];

/** The same as the drawing, in words. */
export function LinkTable({ graph }: { readonly graph: PeerGraph }) {
  const rows = useMemo(() => rowsOf(graph), [graph]);
  const navigate = useNavigate();
  return (
    <VirtualTable<Row>
      label="Links"
      rows={rows}
      rowId={({ a, b }) => `${a.id} ${b.id}`}
      columns={COLUMNS}
      onOpen={({ a, b }) => void navigate({ to: '/links/$a/$b', params: { a: a.name, b: b.name } })}
      empty={<EmptyState icon={IconPlugConnectedX} title="No links between these nodes" />}
    />
  );
}

function rowsOf({ nodes, links }: PeerGraph): readonly Row[] {
  const rows = links.flatMap((link) => {
    const [a, b] = [nodes[link.a], nodes[link.b]];
    return a === undefined || b === undefined ? [] : [{ a, b, link }];
  });
  return rows.sort((one, other) => byTrouble(one.link, other.link));
}
