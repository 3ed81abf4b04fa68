import type { EventRecord } from '@meshwork/contract';
import { eventWords } from '../../feature/event-words.ts';
import { useFeatures } from '../../feature/feature-list.ts';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Ago } from '../../ui/moment.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import classes from './events.module.css';
import { moreWords } from './more-words.ts';

export const EVENT_COLUMNS: readonly Column<EventRecord>[] = [
  { id: 'when', header: 'When', width: '6.5rem', render: ({ at }) => <Ago at={at} /> },
  { id: 'what', header: 'Event', width: 'minmax(0, 2fr)', render: (event) => <Happened event={event} /> },
  {
    id: 'more',
    header: 'Details',
    width: 'minmax(0, 2fr)',
    priority: 2,
    render: (event) => <span className={classes.more}>{moreWords(event)}</span>,
  },
  {
    id: 'type',
    header: 'Type',
    width: 'minmax(9rem, 1fr)',
    priority: 3,
    render: ({ type }) => <span className={classes.mono}>{type}</span>,
  },
];

function Happened({ event }: { readonly event: EventRecord }) {
  const { subject, happened, to } = eventWords(useFeatures(), event);
  return (
    <span className={classes.happened}>
      {to === null ? (
        <strong>{subject}</strong>
      ) : (
        <AnchorLink to={to} inherit fw={500}>
          {subject}
        </AnchorLink>
      )}{' '}
      {happened}
    </span>
  );
}
