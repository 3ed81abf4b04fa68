import { Text } from '@mantine/core';
import type { AcmeAccount } from '@meshwork/contract';
import { IconAlertTriangle, IconBan, IconCircleCheck } from '@tabler/icons-react';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Ago } from '../../../ui/moment.tsx';
import type { Column } from '../../../ui/virtual-table.tsx';
import { DeactivateButton } from './deactivate-button.tsx';

export const ACCOUNT_COLUMNS: readonly Column<AcmeAccount>[] = [
  { id: 'token', header: 'Token', width: 'minmax(0, 1.5fr)', render: ({ token }) => <TokenName token={token} /> },
  { id: 'state', header: 'State', width: '7rem', render: (account) => <AccountState account={account} /> },
  {
    id: 'contacts',
    header: 'Contacts',
    width: 'minmax(0, 2fr)',
    priority: 2,
    render: ({ contacts }) => contacts.map((url) => url.replace(/^mailto:/i, '')).join(', ') || '–',
  },
  {
    id: 'created',
    header: 'Created',
    width: '7.5rem',
    priority: 2,
    render: ({ created_at }) => <Ago at={created_at} />,
  },
];

export const DEACTIVATE_COLUMN: Column<AcmeAccount> = {
  id: 'deactivate',
  header: 'Action',
  width: '5.75rem',
  render: (account) => account.state === 'valid' && <DeactivateButton account={account} />,
};

function TokenName({ token: { id, name } }: Pick<AcmeAccount, 'token'>) {
  const mayRead = useMay()('tokens:read');
  if (!mayRead) return name;
  return (
    <AnchorLink to="/tokens/$id" params={{ id }} fw={500}>
      {name}
    </AnchorLink>
  );
}

function AccountState({ account: { state, works } }: { readonly account: Pick<AcmeAccount, 'state' | 'works'> }) {
  if (state === 'deactivated') return <Badge tone="off" icon={IconBan} word="Deactivated" />;
  if (works) return <Badge tone="good" icon={IconCircleCheck} word="Valid" />;
  return (
    <>
      <Badge tone="watch" icon={IconAlertTriangle} word="Not working" />
      <Text size="xs" c="dimmed" title="It was revoked, has expired or does not have ca:issue">
        Token no longer works
      </Text>
    </>
  );
}
