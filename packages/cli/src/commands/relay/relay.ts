import type { Relay } from '@meshwork/contract';
import { noun } from '../../derived/noun.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';

export const relay = noun({
  noun: 'relay',
  records: { Relay: relayFields },
  commands: {
    'relays.create': {
      parameters: {
        name: { help: 'what it is called from then on' },
        port: { help: 'UDP port that it listens on (default: 3478)' },
        capacity: { help: 'nodes assigned to it at most (default: 500)' },
      },
    },
    'relays.update': {
      description: 'Change a relay: only what is named. Nodes that use it are updated at once.',
      parameters: { capacity: { help: 'nodes assigned to it at most, apart from those that are pinned to it' } },
    },
    'relays.list': {
      columns: [
        ['NAME', ({ name }) => name],
        ['STATE', relayState],
        ['REACHED ON', ({ host, port }) => `${host}:${port}`],
        ['NODES', ({ nodes, capacity }) => `${nodes} of ${capacity}`],
        ['RUNS ON', ({ node }) => node],
      ],
    },
    'relays.delete': {
      summary: 'Remove a relay',
      confirm: {
        ask: ({ request: { params } }) => ({
          what: `removing relay ${params.name}`,
          describe: () => `Nodes that use relay ${params.name} move to others.`,
        }),
      },
    },
  },
});

function relayFields(relay: Relay): string {
  return fields([
    ['name', relay.name],
    ['node', relay.node],
    ['reached on', `${relay.host}:${relay.port}`],
    ['state', relayState(relay)],
    ['health', relay.health],
    ['nodes', `${relay.nodes} of ${relay.capacity}`],
    ['created', when(relay.created_at)],
  ]);
}

function relayState({ draining, healthy }: Relay): string {
  const words = [healthy ? 'healthy' : 'not healthy', ...(draining ? ['draining'] : [])];
  return words.join(', ');
}
