import { Button } from '@mantine/core';
import type { EventRecord } from '@meshwork/contract';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useEvents, useLiveState } from '../../live/live.tsx';
import { useFilters } from '../../ui/filters.ts';
import { Page } from '../../ui/page.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_FILTERS, EventFilters } from './event-filters.tsx';
import { isWanted } from './is-wanted.ts';
import { NoEvents } from './no-events.tsx';

export default function EventsPage() {
  const received = useEvents();
  const [filters, change] = useFilters(EVENT_FILTERS);
  // The list when it was paused. Null: it is live.
  const [held, setHeld] = useState<readonly EventRecord[] | null>(null);
  const [open, setOpen] = useState<EventRecord | null>(null);
  const events = held ?? received;
  const shown = useMemo(() => events.filter((event) => isWanted(event, filters)), [events, filters]);
  const isFiltered = EVENT_FILTERS.some((name) => filters[name] !== undefined);
  const waiting = held === null ? 0 : newerThan(held, received);
  return (
    <Page
      title="Events"
      subtitle={<LiveText />}
      actions={
        held === null ? (
          <Button
            variant="default"
            leftSection={<IconPlayerPause size={16} aria-hidden />}
            onClick={() => setHeld(received)}
          >
            Pause
          </Button>
        ) : (
          <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setHeld(null)}>
            Resume{waiting > 0 && `: ${waiting.toLocaleString()} new`}
          </Button>
        )
      }
    >
      <EventFilters filters={filters} change={change} events={received} />
      <VirtualTable<EventRecord>
        label="Events"
        rows={shown}
        rowId={({ seq }) => String(seq)}
        columns={EVENT_COLUMNS}
        onOpen={setOpen}
        empty={<NoEvents isFiltered={isFiltered} clear={() => change({ type: null, q: null })} />}
      />
      <EventDrawer event={open} onClose={() => setOpen(null)} />
    </Page>
  );
}

function newerThan(held: readonly EventRecord[], received: readonly EventRecord[]): number {
  const last = held[0]?.seq ?? 0;
  return received.filter(({ seq }) => seq > last).length;
}

const WORDS = {
  live: 'Live. Newest first, up to 500 events since you opened this page.',
  connecting: 'Connecting to the event stream.',
  away: 'Disconnected. Missed events appear once the stream is back.',
} as const;

/** Whether the list is live. The badge in the header announces changes to screen readers. */
function LiveText() {
  return WORDS[useLiveState()];
}
