import type { OutsideAuthority } from '@meshwork/contract';
import { IconCertificate, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEveryItem } from '../../api/every-item.ts';
import { useMay } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import classes from '../../ui/record.module.css';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { AccountState } from './account-state.tsx';
import { certificatesWords, LOOK_EVERY_MS, problemOf, titleOf } from './authority-words.ts';

const COLUMNS: readonly Column<OutsideAuthority>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1fr)',
    render: ({ id, name, directory }) => (
      <>
        <AnchorLink to="/outside-authorities/$id" params={{ id }} fw={500}>
          {name}
        </AnchorLink>
        <span className={classes.below}>{titleOf(directory)}</span>
      </>
    ),
  },
  {
    id: 'account',
    header: 'Account',
    width: 'minmax(0, 1.4fr)',
    render: (authority) => {
      const problem = problemOf(authority);
      return (
        <>
          <AccountState account={authority.account} />
          {problem !== null && <span className={classes.below}>{problem}</span>}
        </>
      );
    },
  },
  {
    id: 'certificates',
    header: 'Certificates',
    width: '10rem',
    priority: 2,
    render: certificatesWords,
  },
];

export default function AuthoritiesPage() {
  const { items, isLoading, error, again } = useEveryItem('outside_authorities.list', undefined, LOOK_EVERY_MS);
  const mayWrite = useMay()('outside_authorities:write');
  const navigate = useNavigate();
  const isEmpty = !isLoading && items.length === 0;
  const create = mayWrite && (
    <ButtonLink to="/outside-authorities/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Add authority
    </ButtonLink>
  );
  return (
    <Page
      title="Outside authorities"
      subtitle={isLoading || isEmpty ? undefined : plural(items.length, 'authority', 'authorities')}
      back={{ to: '/ingress', label: 'Ingress' }}
      actions={!isEmpty && create}
    >
      {error !== null && <ProblemNotice error={error} onRetry={again} />}
      <VirtualTable<OutsideAuthority>
        label="Outside authorities"
        rows={items}
        rowId={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/outside-authorities/$id', params: { id } })}
        loading={isLoading}
        empty={
          error === null && (
            <EmptyState
              icon={IconCertificate}
              title="No outside authorities"
              command="mesh ingress authority create letsencrypt --directory letsencrypt --contact ops@example.net --agree-terms"
              action={create}
            >
              Browsers do not know the mesh CA. Name an authority that issues certificates by ACME, such as Let’s
              Encrypt, and choose it in the form of an ingress: certificates are ordered and renewed by themselves.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
