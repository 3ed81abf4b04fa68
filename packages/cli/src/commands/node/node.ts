/** Nodes. What is asked of one is an operation, which a later heartbeat proves: `print/followed-operation.ts` follows it. */
import { noun } from '../../derived/noun.ts';
import { ago } from '../../when.ts';
import { diagnose } from './diagnose.ts';
import { NAT_KINDS, nodeFields } from './node-fields.ts';
import { postureText } from './posture-text.ts';
import { nodeRoutes } from './routes.ts';
import { whatGoesWith } from './what-goes.ts';

export const node = noun({
  noun: 'node',
  watches: ['node', 'relay', 'route', 'operation'],
  records: { Node: nodeFields },
  commands: {
    'nodes.list': {
      parameters: {
        tag: { help: 'only those with this tag, such as role:git' },
        state: { help: 'only those in this state' },
        standby_relay: { help: 'only those with this relay as their standby' },
        nat: { help: 'only those behind such a NAT' },
        q: { help: 'only those with this in their name, or with this address' },
      },
      columns: [
        ['ID', ({ id }) => id],
        ['NAME', ({ name }) => name],
        ['STATE', ({ state, drift_since }) => (drift_since === null ? state : `${state}, drifts`)],
        ['ADDRESS', ({ address }) => address.replace('/32', '')],
        ['NAT', ({ nat }) => (nat === null ? '-' : NAT_KINDS[nat])],
        ['RELAY', ({ relay }) => relay ?? '-'],
        ['STANDBY', ({ standby_relay }) => standby_relay ?? '-'],
        ['HEARTBEAT', ({ heartbeat }) => ago(heartbeat)],
        ['TAGS', ({ tags }) => tags.join(' ')],
      ],
    },
    'nodes.posture': { print: postureText },
    'nodes.diagnose': diagnose,
    'nodes.retag': {
      description:
        'Replace the tags of a node. A node can be moved only to where the scope of the token reaches, and the policy says who may set which tag (tag owners). Approved networks move along.',
      arguments: ['id', 'tags'],
      parameters: {
        id: { completes: 'node' },
        tags: { help: 'all its tags from now on, such as role:git team:platform' },
      },
    },
    'nodes.move_relay': {
      verb: 'relay',
      description: 'Choose the relay of a node, or let the coordinator choose again with --auto.',
      arguments: ['id', 'relay'],
      parameters: {
        id: { completes: 'node' },
        relay: { help: 'name of the relay', off: 'auto', off_help: 'let the coordinator choose again' },
      },
    },
    'nodes.approve_routes': { made: nodeRoutes },
    'nodes.drain': {
      summary: 'Drain a node: move its roles to others',
      parameters: {
        deadline_s: { help: 'when connections that are still open are ended, such as 5m (default: never)' },
      },
    },
    'nodes.remove': {
      confirm: {
        ask: ({ session, request: { params } }) => ({
          what: `removing ${params.id}`,
          describe: () => whatGoesWith(session.client, params.id ?? ''),
        }),
      },
    },
  },
});
