import type { NodeOperation } from '@meshwork/contract';
import { Actor } from '../../../ui/actor.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { OperationState } from '../../../ui/state.tsx';
import type { Column } from '../../../ui/virtual-table.tsx';
import { KIND_WORDS } from './operation-words.ts';

export const OPERATION_COLUMNS: readonly Column<NodeOperation>[] = [
  {
    id: 'kind',
    header: 'Operation',
    render: ({ id, kind }) => (
      <AnchorLink to={`/nodes/operations/${id}`} inherit>
        {KIND_WORDS[kind]}
      </AnchorLink>
    ),
  },
  {
    id: 'node',
    header: 'Node',
    render: ({ node, node_name }) => (
      <AnchorLink to="/nodes/$id" params={{ id: node }} inherit>
        {node_name}
      </AnchorLink>
    ),
  },
  { id: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <OperationState state={state} /> },
  { id: 'by', header: 'Requested by', priority: 2, render: ({ requested_by }) => <Actor actor={requested_by} /> },
  { id: 'at', header: 'When', width: '7rem', priority: 2, render: ({ requested_at }) => <Ago at={requested_at} /> },
  { id: 'reason', header: 'Failure reason', width: 'minmax(0, 2fr)', priority: 3, render: ({ reason }) => reason },
];
