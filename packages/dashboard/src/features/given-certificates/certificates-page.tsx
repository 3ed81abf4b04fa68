import type { GivenCertificate } from '@meshwork/contract';
import { IconCertificate, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEveryItem } from '../../api/every-item.ts';
import { Orders } from '../../mesh/orders.tsx';
import { May, useMay } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Moment } from '../../ui/moment.tsx';
import { Page } from '../../ui/page.tsx';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import classes from '../../ui/record.module.css';
import { Section } from '../../ui/section.tsx';
import { type Column, VirtualTable } from '../../ui/virtual-table.tsx';
import { GivenState } from './given-state.tsx';
import { LOOK_EVERY_MS, namesWords, shownWords } from './given-words.ts';

const COLUMNS: readonly Column<GivenCertificate>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.4fr)',
    render: ({ id, name, names }) => (
      <>
        <AnchorLink to="/given-certificates/$id" params={{ id }} fw={500}>
          {name}
        </AnchorLink>
        <span className={classes.below}>{namesWords(names)}</span>
      </>
    ),
  },
  { id: 'state', header: 'State', width: '9rem', render: ({ state }) => <GivenState state={state} /> },
  { id: 'ends', header: 'Ends', width: '8rem', priority: 2, render: ({ not_after }) => <Moment at={not_after} /> },
  {
    id: 'used',
    header: 'Used by',
    width: 'minmax(0, 1fr)',
    priority: 2,
    render: (given) => (
      <>
        {given.used_by.map(({ name }) => name).join(', ') || 'No ingress'}
        {given.shown_by.length > 0 && <span className={classes.below}>Shown by {shownWords(given)}</span>}
      </>
    ),
  },
  {
    id: 'issuer',
    header: 'Issued by',
    width: 'minmax(0, 1fr)',
    priority: 3,
    render: ({ issuer, authority }) => (
      <>
        {issuer}
        {authority !== null && <span className={classes.below}>Ordered from {authority.name}</span>}
      </>
    ),
  },
];

export default function CertificatesPage() {
  const certificates = useEveryItem('given_certificates.list', undefined, LOOK_EVERY_MS);
  const mayWrite = useMay()('given_certificates:write');
  const navigate = useNavigate();
  const { items, isLoading, error, again } = certificates;
  const isEmpty = !isLoading && items.length === 0;
  const bring = mayWrite && (
    <ButtonLink to="/given-certificates/new" leftSection={<IconPlus size={16} aria-hidden />}>
      Add certificate
    </ButtonLink>
  );
  return (
    <Page
      title="Given certificates"
      subtitle={isLoading || isEmpty ? undefined : plural(items.length, 'certificate')}
      back={{ to: '/ingress', label: 'Ingress' }}
      actions={!isEmpty && bring}
    >
      <May permission="ingress:read">
        <OrdersUnderWay />
      </May>
      {error !== null && <ProblemNotice error={error} onRetry={again} />}
      <VirtualTable<GivenCertificate>
        label="Given certificates"
        rows={items}
        rowId={({ id }) => id}
        columns={COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/given-certificates/$id', params: { id } })}
        loading={isLoading}
        empty={
          error === null && (
            <EmptyState
              icon={IconCertificate}
              title="No given certificates"
              command="mesh ingress certificate create shop --chain fullchain.pem --key privkey.pem"
              action={bring}
            >
              Browsers do not know the mesh CA. Bring a certificate of a public authority, or of your company’s, with
              its key, and choose it in the form of an ingress.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

/** Those that have no certificate yet, or whose last attempt failed. The others are in the table, with their certificates. */
function OrdersUnderWay() {
  return (
    <Section title="Orders" description="Certificates that outside authorities are to issue or renew now.">
      <Orders keep={({ state }) => state !== 'issued'} empty="No order is under way or failing." />
    </Section>
  );
}
