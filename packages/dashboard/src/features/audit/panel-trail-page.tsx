import { Drawer, Select } from '@mantine/core';
import type { PanelAuditEntry } from '@meshwork/contract';
import { isWholeMesh } from '@meshwork/contract/vocabulary';
import { PANEL_WIRE_OPERATIONS } from '@meshwork/contract/wire';
import { IconFilterOff, IconLock, IconUserCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { usePanelAction } from '../../api/actions.ts';
import { usePanelList } from '../../api/queries.ts';
import { useMay, useSession } from '../../session/session.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import classes from './audit-filters.module.css';
import { AuditNav } from './audit-nav.tsx';
import { ENTRY_COLUMNS } from './entry-columns.tsx';
import { EntryFacts } from './entry-facts.tsx';
import { IdFilter } from './id-filter.tsx';
import { VERIFY_TIMEOUT_MS, VerifyTrail } from './verify/verify-trail.tsx';

const FILTERS = ['action', 'actor', 'target'] as const;

/** What happened at the panel itself. What people do to the mesh is in the other trail, under their name. */
export default function PanelTrailPage() {
  const { scope } = useSession().user;
  const permitted = isWholeMesh(scope);
  return (
    <Page
      title="Audit"
      subtitle="Sign-ins, failed sign-ins, and changes to people and their sessions."
      actions={permitted && <VerifyPanelTrail />}
    >
      <AuditNav />
      {permitted ? (
        <PanelTrail />
      ) : (
        <EmptyState icon={IconLock} title="Requires access to the whole mesh">
          The panel’s trail covers all people, so only people whose boundary is the whole mesh can view it.
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
      <search className={classes.filters} aria-label="Filter panel audit trail">
        <Select
          aria-label="Action"
          placeholder="Any action"
          clearable
          searchable
          data={[
            ...new Set([
              ...Object.keys(PANEL_WIRE_OPERATIONS),
              ...(filters.action === undefined ? [] : [filters.action]),
            ]),
          ]}
          value={filters.action ?? null}
          onChange={(action) => change({ action })}
        />
        <IdFilter label="Actor ID" value={filters.actor ?? ''} onChange={(actor) => change({ actor })} />
        <IdFilter label="Target ID" value={filters.target ?? ''} onChange={(target) => change({ target })} />
      </search>
      {entries.error !== null && <ProblemNotice error={entries.error} onRetry={entries.again} />}
      <VirtualTable<PanelAuditEntry>
        label="Panel audit entries"
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
            title={isFiltered ? 'No matching entries' : 'No entries yet'}
          />
        }
      />
      <PanelEntryDrawer entry={open} onClose={() => setOpen(null)} />
    </>
  );
}

interface PanelEntryDrawerProps {
  /** Null: it is closed. */
  readonly entry: PanelAuditEntry | null;
  readonly onClose: () => void;
}

function PanelEntryDrawer({ entry, onClose }: PanelEntryDrawerProps) {
  return (
    <Drawer opened={entry !== null} onClose={onClose} position="right" size="lg" title={entry?.action ?? ''}>
      {entry !== null && <EntryFacts entry={entry} />}
    </Drawer>
  );
}

/** The panel's own chain. */
function VerifyPanelTrail() {
  const verify = usePanelAction('trail.verify', { quiet: true });
  if (!useMay()('audit:verify')) return null;
  return (
    <VerifyTrail
      title="Verify panel audit trail"
      isRunning={verify.isRunning}
      error={verify.error}
      run={async () => (await verify.run({ body: {}, timeout_ms: VERIFY_TIMEOUT_MS })).body}
    />
  );
}
