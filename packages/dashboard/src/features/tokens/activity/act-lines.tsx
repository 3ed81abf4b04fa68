import { Text } from '@mantine/core';
import type { AuditEntry } from '@meshwork/contract';
import { Actor } from '../../../ui/actor.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Ago } from '../../../ui/moment.tsx';
import classes from './act-lines.module.css';

interface ActLinesProps {
  readonly entries: readonly AuditEntry[];
  /** Who did it, or to what: the other of the two is what the list is of. */
  readonly say: 'actor' | 'target';
  readonly none: string;
}

/** A few entries of the audit trail, a line each. */
export function ActLines({ entries, say, none }: ActLinesProps) {
  if (entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  return (
    <ul className={classes.lines}>
      {entries.map((entry) => (
        <li key={entry.id} className={classes.line}>
          <span className={classes.what}>
            <AnchorLink to="/audit/$id" params={{ id: entry.id }} inherit className={classes.mono}>
              {entry.action}
            </AnchorLink>{' '}
            {say === 'target' && entry.target !== null && <span className={classes.mono}>{entry.target.id}</span>}
            {entry.outcome === 'refused' && ` refused: ${entry.code ?? 'unknown reason'}`}
            {entry.count > 1 && ` (${entry.count} times)`}
          </span>
          {say === 'actor' && <Actor actor={entry.actor} />}
          <Text span size="sm" c="dimmed">
            <Ago at={entry.at} />
          </Text>
        </li>
      ))}
    </ul>
  );
}
