import { Group, Text } from '@mantine/core';
import type { Node } from '@meshwork/contract';
import { May } from '../../../session/session.tsx';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { Section } from '../../../ui/section.tsx';
import classes from './node-detail.module.css';

/** The grants that the node takes part in, and the question that follows from them. */
export function NodeAccess({ node: { name, acl_matches } }: { readonly node: Node }) {
  return (
    <Section title="Access" description="Grants of the policy that apply to this node.">
      {acl_matches.length === 0 ? (
        <Text size="sm">No grants: it cannot reach other nodes, and they cannot reach it.</Text>
      ) : (
        <ul className={classes.lines}>
          {acl_matches.map((grant) => (
            <li key={grant} className={classes.mono}>
              {grant}
            </li>
          ))}
        </ul>
      )}
      <May permission="acls:read">
        <Group gap="md">
          <AnchorLink to="/reach" search={{ to: name }} size="sm">
            Who can reach this node
          </AnchorLink>
          <AnchorLink to="/reach" search={{ from: name }} size="sm">
            What this node can reach
          </AnchorLink>
        </Group>
      </May>
    </Section>
  );
}
