import type { AuditEntry, PanelAuditEntry } from '@meshwork/contract';
import { Fragment } from 'react';
import { Actor } from '../../ui/actor.tsx';
import { Ago } from '../../ui/moment.tsx';
import type { Column } from '../../ui/virtual-table.tsx';
import classes from './entry-columns.module.css';
import { Outcome } from './outcome.tsx';
import { Target } from './target.tsx';

/** What entries of either trail have. */
type AnyEntry = PanelAuditEntry & Partial<Pick<AuditEntry, 'count'>>;

const WHEN: Column<AnyEntry> = { id: 'when', header: 'When', width: '6rem', render: ({ at }) => <Ago at={at} /> };
const WHO: Column<AnyEntry> = {
  id: 'who',
  header: 'Who',
  width: 'minmax(7.8rem, 1.2fr)',
  render: ({ actor }) => <Actor actor={actor} />,
};
const WHAT: Column<AnyEntry> = {
  id: 'what',
  header: 'Action',
  width: 'minmax(0, 1.3fr)',
  render: ({ action }) => <Action action={action} />,
};
const TO_WHAT: Column<AnyEntry> = {
  id: 'target',
  header: 'Target',
  width: 'minmax(0, 2.2fr)',
  priority: 3,
  render: ({ target }) => <Target target={target} />,
};
const ENDED: Column<AnyEntry> = {
  id: 'outcome',
  header: 'Outcome',
  width: '8rem',
  priority: 2,
  render: ({ outcome, code, count }) => (
    <Outcome outcome={outcome} code={code} {...(count === undefined ? {} : { count })} />
  ),
};
const FROM: Column<AnyEntry> = {
  id: 'address',
  header: 'From',
  width: '8.5rem',
  priority: 3,
  render: ({ address }) => (address === null ? '–' : <span className={classes.mono}>{address}</span>),
};

export const ENTRY_COLUMNS: readonly Column<AnyEntry>[] = [WHEN, WHO, WHAT, TO_WHAT, ENDED, FROM];

/** `tokens.announce_expiry` is broken between its words where the place is narrow. */
function Action({ action }: { readonly action: string }) {
  const words = action.split(/(?<=[._])/);
  return (
    <span className={classes.action}>
      {words.map((word) => (
        <Fragment key={word}>
          {word}
          <wbr />
        </Fragment>
      ))}
    </span>
  );
}
