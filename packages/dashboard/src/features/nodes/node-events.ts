/** Words for what happens to nodes and to operations on them. */
import type { NodeOperation } from '@meshwork/contract';
import { type FamilyWords, nameIn } from '../../feature/event-words.ts';
import { KIND_WORDS } from './operations/operation-words.ts';

export const NODE_EVENTS: FamilyWords<'node'> = {
  title: 'Node events',
  subject: nameIn,
  // A node that moved to another boundary may be out of the reader's sight.
  to: ({ type, subject }) => (type === 'node.left' ? null : `/nodes/${subject.id}`),
  happened: {
    'node.joined': 'joined',
    'node.approved': 'was approved',
    'node.retagged': 'was retagged',
    'node.left': 'moved to another boundary',
    'node.rekeyed': 'has a new WireGuard key',
    'node.reported': 'reported a change',
    'node.stale': 'became stale',
    'node.unreachable': 'became unreachable',
    'node.recovered': 'recovered',
    'node.drifted': 'drifted from its configuration',
    'node.drift_repaired': 'repaired drift',
    'node.rolled_back': 'rolled back a change that cut it off',
    'node.rollback_cleared': 'recovered from a rollback',
    'node.settled': 'is in sync again',
    'node.draining': 'started draining',
    'node.undrained': 'stopped draining',
    'node.quarantined': 'was quarantined',
    'node.released': 'was released from quarantine',
    'node.removed': 'was removed',
  },
  // `explain` looks at everything, so almost every event makes `acls` stale.
  stale: ['nodes', 'peers', 'overview', 'acls', 'firewall'],
};

export const OPERATION_EVENTS: FamilyWords<'operation'> = {
  title: 'Operation events',
  subject: ({ data: { kind, node_name } }) =>
    `${KIND_WORDS[kind as NodeOperation['kind']] ?? asWords(kind)} of ${String(node_name)}`,
  to: ({ subject }) => `/nodes/operations/${subject.id}`,
  happened: { 'operation.changed': ({ state }) => asWords(state) },
  stale: ['operations', 'nodes', 'overview'],
};

function asWords(value: unknown): string {
  return String(value).replaceAll('_', ' ');
}
