import { Button, SegmentedControl } from '@mantine/core';
import type { Relay } from '@meshwork/contract';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/queries.ts';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { plural } from '../../ui/plural.ts';
import { ProblemNotice } from '../../ui/problem-notice.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { RelayDialog } from './edit/relay-dialog.tsx';
import { NoRelays } from './no-relays.tsx';
import { LOOK_EVERY_MS, useMayWriteRelays } from './relay-access.ts';
import { RELAY_COLUMNS } from './relay-columns.tsx';
import { RelayMap } from './use/relay-map.tsx';

export default function RelaysPage() {
  const relays = useList('relays.list', undefined, { every_ms: LOOK_EVERY_MS });
  const [filters, change] = useFilters(['view', 'group']);
  const [isCreating, setCreating] = useState(false);
  const mayWrite = useMayWriteRelays();
  const navigate = useNavigate();
  const isMap = filters.view === 'map';
  const isEmpty = !relays.isLoading && relays.items.length === 0;
  const create = mayWrite && (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Add relay
    </Button>
  );
  return (
    <Page
      title="Relays"
      subtitle={relays.isLoading ? undefined : countWords(relays.items)}
      actions={
        <>
          {!isEmpty && (
            <SegmentedControl
              aria-label="View"
              data={[
                { value: 'list', label: 'List' },
                { value: 'map', label: 'Who uses which' },
              ]}
              value={isMap ? 'map' : 'list'}
              onChange={(view) => change({ view: view === 'map' ? view : null })}
            />
          )}
          {!isEmpty && create}
        </>
      }
    >
      {relays.error !== null && <ProblemNotice error={relays.error} onRetry={relays.again} />}
      {isMap && !isEmpty ? (
        <RelayMap relays={relays.items} grouping={filters.group ?? null} onGroup={(group) => change({ group })} />
      ) : (
        <VirtualTable<Relay>
          label="Relays"
          rows={relays.items}
          rowId={({ name }) => name}
          columns={RELAY_COLUMNS}
          onOpen={({ name }) => void navigate({ to: '/relays/$name', params: { name } })}
          more={relays.more}
          hasMore={relays.hasMore}
          loading={relays.isLoading}
          empty={relays.error === null && <NoRelays action={create} />}
        />
      )}
      {isCreating && (
        <RelayDialog
          relay={null}
          etag={undefined}
          onDone={({ name }) => void navigate({ to: '/relays/$name', params: { name } })}
          onClose={() => setCreating(false)}
        />
      )}
    </Page>
  );
}

function countWords(relays: readonly Relay[]): string {
  const unhealthy = relays.filter(({ healthy }) => !healthy).length;
  const all = plural(relays.length, 'relay');
  return unhealthy === 0 ? all : `${all}, ${unhealthy.toLocaleString()} unhealthy`;
}
