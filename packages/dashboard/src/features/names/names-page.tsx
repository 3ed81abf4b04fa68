import { Button, SegmentedControl } from '@mantine/core';
import type { DnsRecord } from '@meshwork/contract';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { OwnNames } from './own-names.tsx';
import { RecordDialog } from './records/record-dialog.tsx';
import { RecordTable } from './records/record-table.tsx';
import { SplitDns } from './split-dns.tsx';

export default function NamesPage() {
  const [filters, change] = useFilters(['view', 'q', 'kind']);
  const [edited, setEdited] = useState<DnsRecord | 'new' | null>(null);
  const may = useMay();
  const mayWrite = may('dns:write');
  const isOwn = filters.view === 'nodes';
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      New record
    </Button>
  );
  return (
    <Page
      title="Names"
      subtitle="Every node resolves names that end in .mesh, by DNS of its own agent."
      actions={
        <>
          {may('nodes:read') && (
            <SegmentedControl
              aria-label="View"
              data={[
                { value: 'records', label: 'Records' },
                { value: 'nodes', label: 'Nodes and services' },
              ]}
              value={isOwn ? 'nodes' : 'records'}
              onChange={(view) => change({ view: view === 'nodes' ? view : null, q: null, kind: null })}
            />
          )}
          {create}
        </>
      }
    >
      {isOwn ? (
        <OwnNames q={filters.q ?? ''} onSearch={(q) => change({ q })} />
      ) : (
        <RecordTable filters={filters} change={change} onEdit={mayWrite ? setEdited : null} create={create} />
      )}
      <SplitDns />
      {edited !== null && <RecordDialog record={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}
