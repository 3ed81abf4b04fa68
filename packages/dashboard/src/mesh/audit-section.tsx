import { Text } from '@mantine/core';
import { useRead } from '../api/queries.ts';
import { Actor } from '../ui/actor.tsx';
import { AnchorLink } from '../ui/anchor-link.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Ago } from '../ui/moment.tsx';
import { Section } from '../ui/section.tsx';
import classes from './audit-section.module.css';

/** Ours: the last ones; the rest is in the audit trail itself. */
const SHOWN = 10;

/** Who did what to one thing, by its id. */
export function AuditSection({ target }: { readonly target: string }) {
  const query = useRead('audit.list', { query: { target, limit: SHOWN } });
  return (
    <Section
      title="Audit"
      actions={
        <AnchorLink to="/audit" search={{ target }} size="sm">
          All entries
        </AnchorLink>
      }
    >
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Text size="sm" c="dimmed">
              No entries.
            </Text>
          ) : (
            <ul className={classes.lines}>
              {items.map(({ id, action, outcome, code, actor, at }) => (
                <li key={id} className={classes.line}>
                  <Text span size="sm">
                    <AnchorLink to={`/audit/${id}`} className={classes.mono}>
                      {action}
                    </AnchorLink>
                    {outcome === 'refused' && ` was refused: ${code ?? 'unknown reason'}`}
                  </Text>
                  <Text span size="sm">
                    <Actor actor={actor} />
                  </Text>
                  <Text span size="sm" c="dimmed">
                    <Ago at={at} />
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
