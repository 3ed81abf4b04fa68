import { CloseButton, Group, Paper, Stack, Title } from '@mantine/core';
import type { PeerGraph } from '@meshwork/contract';
import { May } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { Facts } from '../../ui/facts.tsx';
import { NodeState } from '../../ui/state.tsx';
import { Tags } from '../../ui/tags.tsx';
import { LINK_LOOKS, LOOK_WORDS, lookOf } from './link-look.ts';

interface NodeAsideProps {
  readonly node: PeerGraph['nodes'][number];
  readonly graph: PeerGraph;
  /** Of the node in the graph. */
  readonly place: number;
  readonly close: () => void;
}

/** The node that was chosen in the drawing, in words. */
export function NodeAside({ node, graph, place, close }: NodeAsideProps) {
  const { id, name, state, tags, relay, services } = node;
  return (
    <Paper component="aside" withBorder p="md" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <CloseButton aria-label="Close" onClick={close} />
        </Group>
        <Facts
          items={[
            { label: 'State', value: <NodeState state={state} /> },
            { label: 'Links', value: linkWords(graph, place) },
            { label: 'Relay', value: relay ?? 'None' },
            { label: 'Services', value: services.join(', ') || 'None' },
            { label: 'Tags', value: <Tags tags={tags} /> },
          ]}
        />
        <Group gap="sm">
          <ButtonLink to="/nodes/$id" params={{ id }} size="xs">
            Open the node
          </ButtonLink>
          <May permission="acls:read">
            <AnchorLink to="/reach" search={{ to: name }} size="sm">
              Who can reach it
            </AnchorLink>
          </May>
        </Group>
      </Stack>
    </Paper>
  );
}

function linkWords({ links }: PeerGraph, place: number): string {
  const own = links.filter(({ a, b }) => a === place || b === place).map(lookOf);
  const parts = LINK_LOOKS.flatMap((look) => {
    const count = own.filter((one) => one === look).length;
    return count === 0 ? [] : [`${count} ${LOOK_WORDS[look].toLowerCase()}`];
  });
  return parts.join(', ') || 'None';
}
