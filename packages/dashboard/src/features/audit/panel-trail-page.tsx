import { Select } from '@mantine/core';
import { isWholeMesh, PANEL_OPERATION_IDS, type PanelAuditEntry } from '@meshwork/contract';
import { IconFilterOff, IconLock, IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelList } from '../../api/queries.ts';
import { useFilters } from '../../filters.ts';
import { useSession } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import classes from './audit-filters.module.css';
import { AuditNav } from './audit-nav.tsx';
import { ENTRY_COLUMNS } from './entry-columns.tsx';
import { IdFilter } from './id-filter.tsx';
import { PanelEntryDrawer } from './panel-entry-drawer.tsx';
import { VerifyPanelTrail } from './verify/verify-panel-trail.tsx';

const FILTERS = ['action', 'actor', 'target'] as const;

/** What happened at the panel itself. What people do to the mesh is in the other trail, under their name. */
export default function PanelTrailPage() {
  const { scope } = useSession().user;
  const permitted = isWholeMesh(scope);
  return (
    <Page
      title="Audit"
      subtitle="Who signed in or failed to, and what was done to people and their sessions."
      actions={permitted && <VerifyPanelTrail />}
    >
      <AuditNav />
      {permitted ? (
        <PanelTrail />
      ) : (
        <EmptyState icon={IconLock} title="This needs the whole mesh as boundary">
          The panel’s trail tells of everybody, so only those read it whose own boundary is the whole mesh.
        </EmptyState>
      )}
    </Page>
  );
}

function PanelTrail() {
  const [filters, change] = useFilters(FILTERS);
  const [open, setOpen] = useState<PanelAuditEntry | null>(null);
  const entries = usePanelList<PanelAuditEntry>('trail.list', { query: filters }, { keep: true });
  const isFiltered = FILTERS.some((name) => filters[name] !== undefined);
  return (
    <>
      <search className={classes.filters} aria-label="Filter the trail of the panel">
        <Select
          aria-label="Action"
          placeholder="Any action"
          clearable
          searchable
          data={[...new Set([...PANEL_OPERATION_IDS, ...(filters.action === undefined ? [] : [filters.action])])]}
          value={filters.action ?? null}
          onChange={(action) => change({ action })}
        />
        <IdFilter label="Actor id" value={filters.actor ?? ''} onChange={(actor) => change({ actor })} />
        <IdFilter label="Target id" value={filters.target ?? ''} onChange={(target) => change({ target })} />
      </search>
      {entries.error !== null && <ProblemNotice error={entries.error} onRetry={entries.again} />}
      <VirtualTable<PanelAuditEntry>
        label="Entries of the panel"
        rows={entries.items}
        rowId={({ id }) => id}
        columns={ENTRY_COLUMNS}
        onOpen={setOpen}
        more={entries.more}
        hasMore={entries.hasMore}
        loading={entries.isLoading}
        empty={
          <EmptyState
            icon={isFiltered ? IconFilterOff : IconUserCheck}
            title={isFiltered ? 'No entry is like that' : 'Nothing happened at the panel yet'}
          />
        }
      />
      <PanelEntryDrawer entry={open} onClose={() => setOpen(null)} />
    </>
  );
}
