import { Text } from '@mantine/core';
import type { Explanation } from '@meshwork/contract';
import { IconGauge } from '@tabler/icons-react';
import { AnchorLink } from '../../ui/anchor-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import classes from './answer-list.module.css';

/** Rates that limit what is allowed, with what was dropped because of them. Absent: an older coordinator. */
export function Conditions({ conditions = [] }: Pick<Explanation, 'conditions'>) {
  if (conditions.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Conditions">
      {conditions.map(({ node, rule, detail }) => (
        <li key={`${node} ${rule}`} className={classes.item}>
          <div className={classes.head}>
            <Badge tone="watch" icon={IconGauge} word="Rate limited" />
            <Text size="sm" fw={600} span>
              {node}
            </Text>
            {rule.startsWith('firewall_') && (
              <AnchorLink to="/firewall" search={{ rule }} size="sm">
                Open rule
              </AnchorLink>
            )}
          </div>
          <Text size="sm" className={classes.text}>
            {detail}
          </Text>
        </li>
      ))}
    </ul>
  );
}
