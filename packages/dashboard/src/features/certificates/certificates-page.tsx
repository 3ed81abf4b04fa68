import type { Certificate } from '@meshwork/contract';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList } from '../../api/queries.ts';
import { useMay } from '../../session/session.tsx';
import { ButtonLink } from '../../ui/anchor-link.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { AcmeAccounts } from './acme/acme-accounts.tsx';
import { askedFor, CERTIFICATE_FILTERS } from './asked-for.ts';
import { Authorities } from './authorities/authorities.tsx';
import { CERTIFICATE_COLUMNS } from './certificate-columns.tsx';
import { CertificateFilters } from './certificate-filters.tsx';
import { inOrder } from './in-order.ts';
import { NoCertificates } from './no-certificates.tsx';
import { NodeBar } from './revoke/node-bar.tsx';

export default function CertificatesPage() {
  const [filters, change] = useFilters(CERTIFICATE_FILTERS);
  const query = askedFor(filters);
  const certificates = useList('ca.certificates', { query }, { keep: true });
  const may = useMay();
  const navigate = useNavigate();
  const isFiltered = CERTIFICATE_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <Page
      title="Certificates"
      subtitle="TLS certificates of nodes and services, issued by the mesh’s own authority."
      actions={
        may('ca:issue') && (
          <ButtonLink to="/certificates/new" leftSection={<IconPlus size={16} aria-hidden />}>
            Issue certificate
          </ButtonLink>
        )
      }
    >
      <Authorities />
      <CertificateFilters filters={filters} change={change} />
      {query.node !== undefined && <NodeBar node={query.node} />}
      {certificates.error !== null && <ProblemNotice error={certificates.error} onRetry={certificates.again} />}
      <VirtualTable<Certificate>
        label="Certificates"
        rows={certificates.hasMore ? certificates.items : inOrder(certificates.items)}
        rowId={({ id }) => id}
        columns={CERTIFICATE_COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/certificates/$id', params: { id } })}
        more={certificates.more}
        hasMore={certificates.hasMore}
        loading={certificates.isLoading}
        empty={<NoCertificates isFiltered={isFiltered} clear={() => change(NOTHING)} />}
      />
      <AcmeAccounts />
    </Page>
  );
}

const NOTHING = Object.fromEntries(CERTIFICATE_FILTERS.map((name) => [name, null]));
