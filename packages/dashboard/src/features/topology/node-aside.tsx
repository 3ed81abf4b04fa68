import { CloseButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { PeerGraph } from '@meshwork/contract';
import { RelayLink } from '../../mesh/relay-link.tsx';
import { May } from '../../session/session.tsx';
import { AnchorLink, ButtonLink } from '../../ui/anchor-link.tsx';
import { Facts } from '../../ui/facts.tsx';
import { NodeState } from '../../ui/state.tsx';
import { Tags } from '../../ui/tags.tsx';
import { byTrouble, LINK_LOOKS, LOOK_WORDS, lookOf } from './link-look.ts';
import classes from './topology.module.css';

interface NodeAsideProps {
  readonly node: PeerGraph['nodes'][number];
  readonly graph: PeerGraph;
  /** Of the node in the graph. */
  readonly place: number;
  /** Names of the relays that it runs. */
  readonly runs: readonly string[];
  readonly close: () => void;
}

/** Ours: as many as fit beside the drawing. */
const SHOWN_LINKS = 8;

/** The node that was chosen in the drawing, in words. */
export function NodeAside({ node, graph, place, runs, close }: NodeAsideProps) {
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
            ...(runs.length === 0 ? [] : [{ label: 'Runs relay', value: <RelayLinks names={runs} /> }]),
            { label: 'Relay', value: relay === null ? 'None' : <RelayLink name={relay} /> },
            { label: 'Services', value: services.join(', ') || 'None' },
            { label: 'Tags', value: <Tags tags={tags} /> },
          ]}
        />
        <OwnLinks node={node} graph={graph} place={place} />
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

function RelayLinks({ names }: { readonly names: readonly string[] }) {
  return names.map((name, place) => (
    <span key={name}>
      {place > 0 && ', '}
      <RelayLink name={name} />
    </span>
  ));
}

/** Its links one by one, those with a problem first. The page of the node has all of them. */
function OwnLinks({ node, graph, place }: Pick<NodeAsideProps, 'node' | 'graph' | 'place'>) {
  const own = graph.links.filter(({ a, b }) => a === place || b === place).sort(byTrouble);
  if (own.length === 0) return null;
  const rest = own.length - SHOWN_LINKS;
  return (
    <ul className={classes.ownLinks} aria-label={`Links of ${node.name}`}>
      {own.slice(0, SHOWN_LINKS).flatMap((link) => {
        const peer = graph.nodes[link.a === place ? link.b : link.a];
        if (peer === undefined) return [];
        return [
          <li key={peer.id} className={classes.ownLink}>
            <AnchorLink to="/links/$a/$b" params={{ a: node.name, b: peer.name }} size="sm">
              {peer.name}
            </AnchorLink>
            <Text size="xs" c="dimmed">
              {LOOK_WORDS[lookOf(link)]}
            </Text>
          </li>,
        ];
      })}
      {rest > 0 && (
        <li>
          <Text size="xs" c="dimmed">
            and {rest.toLocaleString()} more
          </Text>
        </li>
      )}
    </ul>
  );
}
