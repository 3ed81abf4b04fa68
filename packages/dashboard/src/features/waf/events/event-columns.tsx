import type { WafEvent } from '@meshwork/contract';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { WafVerdict } from '../../../ui/state.tsx';
import type { Column } from '../../../ui/virtual-table.tsx';
import classes from '../waf.module.css';
import { matchedRules } from '../waf-words.ts';

export const EVENT_COLUMNS: readonly Column<WafEvent>[] = [
  {
    id: 'request',
    header: 'Request',
    width: 'minmax(0, 2.4fr)',
    render: ({ id, method, host, path, address }) => (
      <>
        <AnchorLink to="/waf/events/$id" params={{ id }} className={classes.request}>
          {method} {host}
          {path}
        </AnchorLink>
        <span className={classes.below}>from {address}</span>
      </>
    ),
  },
  { id: 'verdict', header: 'Verdict', width: '7rem', render: ({ verdict }) => <WafVerdict verdict={verdict} /> },
  { id: 'score', header: 'Score', width: '4rem', priority: 2, render: ({ score_in }) => score_in },
  {
    id: 'rules',
    header: 'Rules',
    width: 'minmax(0, 1.4fr)',
    priority: 2,
    render: (event) => (
      <>
        {matchedRules(event)}
        {event.matches[0] !== undefined && <span className={classes.below}>{event.matches[0].message}</span>}
      </>
    ),
  },
  { id: 'gateway', header: 'Gateway', width: '7rem', priority: 3, render: ({ gateway }) => gateway },
  { id: 'when', header: 'When', width: '6rem', render: ({ at }) => <Ago at={at} /> },
];
