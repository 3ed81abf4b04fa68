import type { AuditEntry } from '@meshwork/contract';
import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { useAction } from '../../api/actions.ts';
import { useList } from '../../api/queries.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { momentOf } from '../../ui/time-range.ts';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { AUDIT_FILTERS, AuditFilters } from './audit-filters.tsx';
import { AuditNav } from './audit-nav.tsx';
import { ENTRY_COLUMNS } from './entry-columns.tsx';
import { EntryDrawer } from './entry-drawer.tsx';
import { ExportButton } from './export/export-button.tsx';
import { NoEntries } from './no-entries.tsx';
import { VERIFY_TIMEOUT_MS, VerifyTrail } from './verify/verify-trail.tsx';

export default function AuditPage() {
  const [filters, change] = useFilters([...AUDIT_FILTERS, 'entry']);
  const { entry, ...wanted } = filters;
  const query = auditQuery(wanted);
  const entries = useList('audit.list', { query }, { keep: true });
  const isFiltered = AUDIT_FILTERS.some((name) => filters[name] !== undefined);
  return (
    <Page
      title="Audit"
      subtitle="Every change to the mesh and every refused request, in a tamper-evident hash chain."
      actions={
        <>
          <ExportButton query={query} isFiltered={isFiltered} />
          <VerifyMeshTrail />
        </>
      }
    >
      <AuditNav />
      <AuditFilters filters={filters} change={change} entries={entries.items} />
      {entries.error !== null && <ProblemNotice error={entries.error} onRetry={entries.again} />}
      <VirtualTable<AuditEntry>
        label="Audit entries"
        rows={entries.items}
        rowId={({ id }) => id}
        columns={ENTRY_COLUMNS}
        onOpen={({ id }) => change({ entry: id })}
        more={entries.more}
        hasMore={entries.hasMore}
        loading={entries.isLoading}
        empty={<NoEntries isFiltered={isFiltered} clear={() => change(NOTHING)} />}
      />
      <EntryDrawer
        id={entry ?? null}
        onClose={() => change({ entry: null })}
        narrow={(wanted) => change({ ...NOTHING, ...wanted, entry: null })}
      />
    </Page>
  );
}

const NOTHING = Object.fromEntries(AUDIT_FILTERS.map((name) => [name, null]));

/** The coordinator's chain. A head that was noted earlier can be checked too. */
function VerifyMeshTrail() {
  const verify = useAction('audit.verify', { quiet: true });
  const { scope } = useSession().user;
  if (!useMay()('audit:verify') || !isWholeMesh(scope)) return null;
  return (
    <VerifyTrail
      title="Verify mesh audit trail"
      takesAnchor
      isRunning={verify.isRunning}
      error={verify.error}
      run={async (anchor) => {
        const body = anchor === null ? {} : { anchor };
        return (await verify.run({ body, timeout_ms: VERIFY_TIMEOUT_MS })).body;
      }}
    />
  );
}

type Filters = Readonly<Partial<Record<(typeof AUDIT_FILTERS)[number], string>>>;

/** What the address bar asks for, as the coordinator takes it. */
function auditQuery({ outcome, from, to, ...ids }: Filters) {
  return {
    ...ids,
    outcome: outcome === 'done' || outcome === 'refused' ? outcome : undefined,
    from: momentOf(from),
    to: momentOf(to),
  } as const;
}
