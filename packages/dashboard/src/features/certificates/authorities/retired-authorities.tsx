import { Text } from '@mantine/core';
import type { Authority } from '@meshwork/contract';
import { Copyable } from '../../../ui/copyable.tsx';
import { Ago } from '../../../ui/moment.tsx';
import { plural } from '../../../ui/plural.ts';
import classes from './authorities.module.css';

/** Kept for those who find one in an old certificate. */
export function RetiredAuthorities({ authorities }: { readonly authorities: readonly Authority[] }) {
  if (authorities.length === 0) return null;
  return (
    <details className={classes.retired}>
      <summary>{plural(authorities.length, 'retired authority', 'retired authorities')}</summary>
      <ul className={classes.lines} aria-label="Retired authorities">
        {authorities.map(({ id, name, role, state_since, fingerprint }) => (
          <li key={id}>
            {name}{' '}
            <Text span size="sm" c="dimmed">
              ({role}, retired <Ago at={state_since} />)
            </Text>
            <div>
              <Copyable value={fingerprint} />
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
