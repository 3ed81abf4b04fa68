import type { Token } from '@meshwork/contract';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import { TokenState } from '../../ui/state.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import { TokenEnd } from './token-end.tsx';

export const TOKEN_COLUMNS: readonly Column<Token>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    render: ({ id, name }) => (
      <AnchorLink to="/tokens/$id" params={{ id }} fw={500}>
        {name}
      </AnchorLink>
    ),
  },
  { id: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <TokenState state={state} /> },
  { id: 'role', header: 'Role', width: 'minmax(0, 1fr)', priority: 2, render: ({ role }) => role },
  {
    id: 'scope',
    header: 'Boundary',
    width: 'minmax(0, 1.8fr)',
    priority: 3,
    render: ({ scope }) => <ScopeText scope={scope} />,
  },
  {
    id: 'tags',
    header: 'Sets tags',
    width: 'minmax(0, 1fr)',
    priority: 3,
    render: ({ tags }) => (tags.length === 0 ? '–' : <span title={tags.join(', ')}>{tags.join(', ')}</span>),
  },
  { id: 'end', header: 'Expires', width: '7.5rem', render: (token) => <TokenEnd token={token} /> },
  {
    id: 'used',
    header: 'Last used',
    width: '7.5rem',
    priority: 2,
    render: (token) => <LastUsed token={token} />,
  },
];

function LastUsed({ token: { last_used_at, on_behalf_of } }: { readonly token: Token }) {
  if (on_behalf_of !== null) return 'Not recorded';
  return last_used_at === null ? 'Never' : <Ago at={last_used_at} />;
}
