import { Group, Select } from '@mantine/core';
import type { User } from '@meshwork/contract';
import { IconUserPlus, IconUsers } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { usePanelList } from '../../api/queries.ts';
import { ScopeText } from '../../mesh/scope-text.tsx';
import { May } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Ago } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { InviteButton } from './invite-button.tsx';
import { PersonState } from './person-state.tsx';

const COLUMNS: readonly Column<User>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    render: ({ id, name, display_name }) => (
      <>
        <AnchorLink to="/people/$id" params={{ id }}>
          {display_name}
        </AnchorLink>{' '}
        {name !== display_name && name}
      </>
    ),
  },
  { id: 'state', header: 'State', width: '7.5rem', render: ({ state }) => <PersonState state={state} /> },
  { id: 'role', header: 'Role', width: 'minmax(5rem, 1fr)', render: ({ role }) => role },
  {
    id: 'groups',
    header: 'Groups',
    priority: 3,
    render: ({ groups, provider_groups }) => [...new Set([...groups, ...provider_groups])].join(', ') || 'None',
  },
  { id: 'scope', header: 'Scope', priority: 2, render: ({ scope }) => <ScopeText scope={scope} /> },
  {
    id: 'signs_in_by',
    header: 'Sign-in methods',
    priority: 3,
    render: ({ signs_in_by }) => (signs_in_by.length === 0 ? 'None yet' : signs_in_by.map(wayOf).join(', ')),
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: '8rem',
    priority: 2,
    render: ({ last_seen_at }) => (last_seen_at === null ? 'Never' : <Ago at={last_seen_at} />),
  },
];

const WAYS: Readonly<Record<User['signs_in_by'][number], string>> = {
  password: 'password',
  totp: 'authenticator',
  passkey: 'passkey',
  oidc: 'provider',
};
function wayOf(way: User['signs_in_by'][number]): string {
  return WAYS[way];
}

const STATES = [
  { value: 'active', label: 'Active' },
  { value: 'invited', label: 'Invited' },
  { value: 'disabled', label: 'Disabled' },
];

export default function PeoplePage() {
  const [filters, setFilters] = useFilters(['q', 'state', 'role']);
  const navigate = useNavigate();
  const people = usePanelList<User>('users.list', { query: filters }, { keep: true });
  const filtered = Object.keys(filters).length > 0;
  return (
    <Page
      title="People"
      subtitle="People who can sign in to this panel, and their roles."
      actions={
        <>
          <ButtonLink to="/people/sessions" variant="default">
            Sessions
          </ButtonLink>
          <May permission="users:write">
            <InviteButton />
          </May>
        </>
      }
    >
      <Group gap="sm">
        <SearchInput label="Search people" value={filters.q ?? ''} onChange={(q) => setFilters({ q })} />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={STATES}
          value={filters.state ?? null}
          clearable
          onChange={(state) => setFilters({ state })}
        />
      </Group>
      {people.error !== null ? (
        <ProblemNotice error={people.error} onRetry={people.again} />
      ) : (
        <VirtualTable
          label="People"
          rows={people.items}
          rowId={({ id }) => id}
          columns={COLUMNS}
          onOpen={({ id }) => void navigate({ to: '/people/$id', params: { id } })}
          more={people.more}
          hasMore={people.hasMore}
          loading={people.isLoading}
          empty={
            filtered ? (
              <EmptyState icon={IconUsers} title="No matching people">
                Change or clear the filters.
              </EmptyState>
            ) : (
              <EmptyState icon={IconUserPlus} title="No people yet">
                Invite a person: they get a link to set their password.
              </EmptyState>
            )
          }
        />
      )}
    </Page>
  );
}
