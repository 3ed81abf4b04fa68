/** The accounts of ACME clients: whose they are, whether they still work, and the end of one. */
import type { AcmeAccount } from '@meshwork/contract';
import { ACME_DIRECTORY } from '@meshwork/contract/vocabulary';
import { IconRobot } from '@tabler/icons-react';
import { useList } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../session/session.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { ACCOUNT_COLUMNS, DEACTIVATE_COLUMN } from './account-columns.tsx';

const COLUMNS = [...ACCOUNT_COLUMNS, DEACTIVATE_COLUMN];

export function AcmeAccounts() {
  const accounts = useList('acme.accounts');
  const mayDeactivate = useMay()('ca:revoke');
  const { url } = useSession().coordinator;
  return (
    <Section
      title="ACME accounts"
      description={
        <>
          <div>ACME clients such as certbot get certificates for services, and renew them by themselves.</div>
          Directory: <Copyable value={`${url}${ACME_DIRECTORY}`} />
        </>
      }
    >
      {accounts.error !== null && <ProblemNotice error={accounts.error} onRetry={accounts.again} />}
      {accounts.error === null && (
        <VirtualTable<AcmeAccount>
          label="ACME accounts"
          rows={accounts.items}
          rowId={({ id }) => id}
          columns={mayDeactivate ? COLUMNS : ACCOUNT_COLUMNS}
          more={accounts.more}
          hasMore={accounts.hasMore}
          loading={accounts.isLoading}
          height="24rem"
          empty={<NoAccounts />}
        />
      )}
    </Section>
  );
}

function NoAccounts() {
  return (
    <EmptyState icon={IconRobot} title="No ACME accounts in your boundary" command="mesh acme bind">
      Run this with a token that has ca:issue. It shows the key ID and the key that a client creates its account with.
    </EmptyState>
  );
}
