import { Text } from '@mantine/core';
import type { Ingress, Node } from '@meshwork/contract';
import { useList } from '../../../api/queries.ts';
import { AnchorLink } from '../../../ui/anchor-link.tsx';
import { plural } from '../../../ui/plural.ts';
import { Section } from '../../../ui/section.tsx';
import { IngressState } from '../../../ui/state.tsx';
import classes from './node-detail.module.css';

/** What the node serves as a gateway. Most nodes are none, and have no such section. */
export function NodeIngresses({ node: { id, name } }: { readonly node: Node }) {
  const { items } = useList('ingress.list', { query: { gateway: id } });
  if (items.length === 0) return null;
  return (
    <Section
      title="Ingresses"
      description="Public addresses that it serves as a gateway."
      actions={
        <AnchorLink to="/ingress" search={{ gateway: name }} size="sm">
          All of them
        </AnchorLink>
      }
    >
      <ul className={classes.lines}>
        {items.map((ingress) => (
          <li key={ingress.id} className={classes.line}>
            <span>
              <AnchorLink to="/ingress/$id" params={{ id: ingress.id }}>
                {ingress.port === null ? ingress.hostname : `${ingress.hostname}:${ingress.port}`}
              </AnchorLink>
            </span>
            <OnNode node={id} ingress={ingress} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How the ingress stands on this node, which may be otherwise elsewhere. */
function OnNode({ node, ingress }: { readonly node: string; readonly ingress: Ingress }) {
  const assigned = ingress.assigned_to.find((gateway) => gateway.node === node);
  const serving = ingress.served_by.find((gateway) => gateway.node === node);
  const state = assigned?.draining === true ? 'draining' : serving === undefined ? 'assigned' : 'serving';
  return (
    <>
      <IngressState state={state} />
      {serving?.connections != null && (
        <Text span size="sm" c="dimmed">
          {plural(serving.connections, 'connection')}
        </Text>
      )}
    </>
  );
}
