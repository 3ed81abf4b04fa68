import { Button } from '@mantine/core';
import type { WafEvent } from '@meshwork/contract';
import { IconFilterOff, IconShieldCheck } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useList, useRead } from '../../../api/queries.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useFilters } from '../../../ui/filters.ts';
import { Loaded } from '../../../ui/loaded.tsx';
import { Page } from '../../../ui/page.tsx';
import { ProblemNotice } from '../../../ui/problem-notice.tsx';
import { Section } from '../../../ui/section.tsx';
import { momentOf } from '../../../ui/time-range.ts';
import { VirtualTable } from '../../../ui/virtual-table.tsx';
import { WafNav } from '../waf-nav.tsx';
import { LOOK_EVERY_MS } from '../waf-words.ts';
import { EVENT_COLUMNS } from './event-columns.tsx';
import { EVENT_FILTERS, EventFilters, type Filters } from './event-filters.tsx';
import { Tops } from './tops.tsx';
import { Trend } from './trend.tsx';

const NOTHING = Object.fromEntries(EVENT_FILTERS.map((name) => [name, null]));

export default function EventsPage() {
  const [filters, change] = useFilters(EVENT_FILTERS);
  const query = queryOf(filters);
  const events = useList('waf.events', { query }, { keep: true, every_ms: LOOK_EVERY_MS });
  const summary = useRead('waf.summary', { query }, { keep: true, every_ms: LOOK_EVERY_MS });
  const navigate = useNavigate();
  const isFiltered = EVENT_FILTERS.some((name) => filters[name] !== undefined);
  const hasTime = filters.from !== undefined || filters.to !== undefined;
  return (
    <Page title="WAF events" subtitle="What policies found in requests to ingresses.">
      <WafNav />
      <EventFilters filters={filters} change={change} />
      <Section title={hasTime ? 'Over time' : 'Last 24 hours'}>
        <Loaded query={summary}>{(shown) => <Trend summary={shown} />}</Loaded>
      </Section>
      {summary.data !== undefined && <Tops summary={summary.data.body} change={change} />}
      {events.error !== null && <ProblemNotice error={events.error} onRetry={events.again} />}
      <VirtualTable<WafEvent>
        label="WAF events"
        rows={events.items}
        rowId={({ id }) => id}
        columns={EVENT_COLUMNS}
        onOpen={({ id }) => void navigate({ to: '/waf/events/$id', params: { id } })}
        more={events.more}
        hasMore={events.hasMore}
        loading={events.isLoading}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconFilterOff}
              title="No matching events"
              action={
                <Button variant="default" onClick={() => change(NOTHING)}>
                  Clear filters
                </Button>
              }
            />
          ) : (
            <EmptyState icon={IconShieldCheck} title="No events">
              No rule has matched in a request to an ingress with a WAF policy, or no ingress has one.
            </EmptyState>
          )
        }
      />
    </Page>
  );
}

const VERDICTS = ['blocked', 'detected', 'scored'] as const;

/** What the address bar asks for, as the coordinator takes it. */
function queryOf({ verdict, rule, from, to, ...rest }: Filters) {
  return {
    ...rest,
    rule: rule !== undefined && /^\d{1,8}$/.test(rule) ? Number(rule) : undefined,
    verdict: VERDICTS.find((one) => one === verdict),
    from: momentOf(from),
    to: momentOf(to),
  };
}
