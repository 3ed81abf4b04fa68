import type { Relay } from '@meshwork/contract';
import { Option } from 'commander';
import { amount } from '../../amount.ts';
import { noun } from '../../derived/noun.ts';
import { readSecretFile } from '../../secret-file.ts';
import { fields } from '../../table.ts';
import { when } from '../../when.ts';
import type { Running } from '../../words/command-words.ts';

const PARAMETERS = {
  tls_port: { help: 'port that it listens on by TLS', off: 'no-tls', off_help: 'it does not listen by TLS' },
  certificate: {
    help: 'whose certificate it shows over TLS: that of its node by the mesh CA, or one for its host that the agent is configured with',
  },
  site: { help: 'where it stands, such as a data centre' },
};

export const relay = noun({
  noun: 'relay',
  records: { Relay: relayFields },
  commands: {
    'relays.create': {
      description:
        'Make a node a relay, which its agent then runs (--node), or register a TURN server that is there already (--secret-file).',
      without: ['secret'],
      options: () => [secretOption()],
      parameters: {
        ...PARAMETERS,
        name: { help: 'what it is called from then on' },
        port: { help: 'port that it listens on, by UDP and TCP (default: 3478)' },
        tls_port: {
          ...PARAMETERS.tls_port,
          help: 'port that it listens on by TLS (default: 443 on a node, else none)',
        },
        capacity: { help: 'nodes assigned to it at most (default: 500)' },
      },
      run: withSecret,
    },
    'relays.update': {
      description: 'Change a relay: only what is named. Nodes that use it are updated at once.',
      without: ['secret'],
      options: () => [secretOption()],
      parameters: {
        ...PARAMETERS,
        capacity: { help: 'nodes assigned to it at most, apart from those that are pinned to it' },
      },
      run: withSecret,
    },
    'relays.list': {
      columns: [
        ['NAME', ({ name }) => name],
        ['STATE', relayState],
        ['REACHED ON', ({ host, port }) => `${host}:${port}`],
        ['NODES', ({ nodes, capacity }) => `${nodes} of ${capacity}`],
        ['STANDBY FOR', ({ standbys }) => String(standbys)],
        ['SITE', ({ site }) => site ?? '-'],
        ['RUNS ON', ({ node }) => node ?? 'external'],
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

function secretOption(): Option {
  return new Option('--secret-file <file>', 'file with the secret that an external TURN server shares with the mesh');
}

/** The secret is no argument, which others could list. */
async function withSecret({ request, options, send, show }: Running<Relay>): Promise<void> {
  const file = options.secretFile as string | undefined;
  if (file !== undefined) request.body = { ...(request.body as object), secret: await readSecretFile(file) };
  await show(await send());
}

function relayFields(relay: Relay): string {
  return fields([
    ['name', relay.name],
    ['runs on', relay.node ?? 'a TURN server outside of the mesh'],
    ['reached on', placeOf(relay)],
    ['site', relay.site ?? '-'],
    ['state', relayState(relay)],
    ['health', relay.health],
    ['nodes', `${relay.nodes} of ${relay.capacity}`],
    ['standby for', String(relay.standbys)],
    ['carries', loadOf(relay)],
    ['created', when(relay.created_at)],
  ]);
}

function placeOf({ host, port, tls_port, certificate }: Relay): string {
  const tls =
    tls_port === null ? '' : `, TLS on ${tls_port} (certificate of ${certificate === 'mesh' ? 'the mesh' : host})`;
  return `${host}:${port}${tls}`;
}

function loadOf({ load }: Relay): string {
  if (load === null) return '-';
  const { allocations, rx_bytes, tx_bytes, refused, denied } = load;
  return `${allocations} allocations, ${amount(rx_bytes)} in, ${amount(tx_bytes)} out, ${refused + denied} requests refused`;
}

function relayState({ draining, healthy }: Relay): string {
  const words = [healthy ? 'healthy' : 'not healthy', ...(draining ? ['draining'] : [])];
  return words.join(', ');
}
