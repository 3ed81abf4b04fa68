import type { Token, TokenState } from '@meshwork/contract';
import { TOKEN_STATES } from '@meshwork/contract/vocabulary';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { ExpiringBand } from './expiring-band.tsx';
import { inOrder } from './in-order.ts';
import { NoTokens } from './no-tokens.tsx';
import { TOKEN_COLUMNS } from './token-columns.tsx';
import { TOKEN_FILTERS, TokenFilters } from './token-filters.tsx';

export default function TokensPage() {
  const [filters, change] = useFilters(TOKEN_FILTERS);
  const state = TOKEN_STATES.find((one): one is TokenState => one === filters.state);
  const people = filters.people === 'yes' ? true : undefined;
  const tokens = useList('tokens.list', { query: { q: filters.q, role: filters.role, state, people } }, { keep: true });
  const mayCreate = useMay()('tokens:create');
  const navigate = useNavigate();
  const isFiltered = TOKEN_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <Page
      title="Tokens"
      subtitle="Credentials for programs, each with a role, a boundary and an expiry."
      actions={
        mayCreate && (
          <ButtonLink to="/tokens/new" leftSection={<IconPlus size={16} aria-hidden />}>
            New token
          </ButtonLink>
        )
      }
    >
      <ExpiringBand />
      <TokenFilters filters={filters} change={change} />
      {tokens.error !== null && <ProblemNotice error={tokens.error} onRetry={tokens.again} />}
      <VirtualTable<Token>
        label="Tokens"
        rows={tokens.hasMore ? tokens.items : inOrder(tokens.items)}
        rowId={({ id }) => id}
        columns={TOKEN_COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/tokens/$id', params: { id } })}
        more={tokens.more}
        hasMore={tokens.hasMore}
        loading={tokens.isLoading}
        empty={<NoTokens isFiltered={isFiltered} clear={() => change(NOTHING)} />}
      />
    </Page>
  );
}

const NOTHING = Object.fromEntries(TOKEN_FILTERS.map((name) => [name, null]));
