import { Text, UnstyledButton } from '@mantine/core';
import type { Overview, PresentState } from '@meshwork/contract';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { plural } from '../../ui/plural.ts';
import { Section } from '../../ui/section.tsx';
import { NodeState } from '../../ui/state.tsx';
import classes from './nodes-by-state.module.css';

/** As they are read: what is well first, then what is less so. */
const SHOWN: readonly PresentState[] = [
  'active',
  'joining',
  'draining',
  'pending',
  'stale',
  'unreachable',
  'quarantined',
];

const RowLink = createLink((props: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <UnstyledButton component="a" {...props} />
));

/** How many nodes are in which state, each a link to exactly those. */
export function NodesByState({ nodes }: { readonly nodes: Overview['nodes'] }) {
  const { total, by_state, drifting } = nodes;
  const shown = SHOWN.filter((state) => by_state[state] > 0);
  return (
    <Section
      title="Nodes"
      actions={
        <AnchorLink to="/nodes" size="sm">
          All nodes
        </AnchorLink>
      }
    >
      <div>
        <span className={classes.total}>{total.toLocaleString()}</span>{' '}
        <Text span c="dimmed">
          {total === 1 ? 'node' : 'nodes'}
          {by_state.active === total ? ', all active' : `, ${by_state.active.toLocaleString()} active`}
        </Text>
      </div>
      <div className={classes.bar} aria-hidden>
        {shown.map((state) => (
          <span key={state} className={classes.part} data-state={state} style={{ flexGrow: by_state[state] }} />
        ))}
      </div>
      <ul className={classes.states}>
        {shown.map((state) => (
          <li key={state}>
            <RowLink to="/nodes" search={{ state }} className={classes.row}>
              <NodeState state={state} />
              <span className={classes.share} aria-hidden>
                <span data-state={state} style={{ width: `${(100 * by_state[state]) / total}%` }} />
              </span>
              <span className={classes.count}>{by_state[state].toLocaleString()}</span>
            </RowLink>
          </li>
        ))}
      </ul>
      {drifting > 0 && <Text size="sm">{plural(drifting, 'node')} drifting</Text>}
    </Section>
  );
}
