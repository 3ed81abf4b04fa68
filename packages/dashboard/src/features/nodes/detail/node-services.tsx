import { Text } from '@mantine/core';
import type { Node, Service } from '@meshwork/contract';
import { type Icon, IconCircleCheck, IconCircleX, IconHelpCircle } from '@tabler/icons-react';
import { useMay } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './node-detail.module.css';

type Health = NonNullable<Service['health']>;
const HEALTH: Readonly<Record<Health, { readonly tone: Tone; readonly icon: Icon; readonly word: string }>> = {
  passing: { tone: 'good', icon: IconCircleCheck, word: 'Passing' },
  failing: { tone: 'bad', icon: IconCircleX, word: 'Failing' },
  unknown: { tone: 'off', icon: IconHelpCircle, word: 'Unknown' },
};

/** What the node offers to others, and what its own checks say. */
export function NodeServices({ node: { name: node, service_bindings } }: { readonly node: Node }) {
  const mayAsk = useMay()('acls:read');
  return (
    <Section title="Services">
      {service_bindings.length === 0 ? (
        <Text size="sm" c="dimmed">
          No services. Add them when you enrol the agent: <code>--service git-ssh:tcp:22</code>.
        </Text>
      ) : (
        <ul className={classes.lines}>
          {service_bindings.map(({ name, protocol, port, health }) => (
            <li key={name} className={classes.line}>
              <Text span size="sm">
                {name}{' '}
                <Text span c="dimmed" className={classes.mono}>
                  {protocol}:{port}
                </Text>
              </Text>
              {health !== undefined && <Badge {...HEALTH[health]} />}
              {mayAsk && (
                <AnchorLink to="/reach" search={{ to: node, port: `${protocol}:${port}` }} size="sm">
                  Who can reach it
                </AnchorLink>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
