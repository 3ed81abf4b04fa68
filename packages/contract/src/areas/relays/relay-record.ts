import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import { NodeIdText } from '../../node-fields.ts';
import { RelayLoad } from '../../relay-reports.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';
import { exampleNode } from '../nodes/node-record.ts';
import { NODE_NAME_PATTERN } from '../nodes/vocabulary.ts';
import { RELAY_CERTIFICATES, RELAY_KINDS } from './vocabulary.ts';

export const RelayName = Type.String({ pattern: NODE_NAME_PATTERN, description: 'Names it; cannot be changed.' });
/** A host name or an address. */
export const HOST_PATTERN =
  '^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|[0-9a-f:]{2,39})$';
export const RelayHost = Type.String({
  maxLength: 253,
  pattern: HOST_PATTERN,
  description: 'Host name or address that nodes reach it on.',
});
const port = (description: string) => Type.Integer({ minimum: 1, maximum: 65_535, description });
export const RelayPort = port('Port that it listens on, by UDP and by TCP.');
export const RelayTlsPort = maybe(
  port(''),
  'Port that it listens on by TLS, for networks that block all else. Null: none.',
);
export const RelayCertificate = Type.Enum(RELAY_CERTIFICATES, {
  description:
    'Whose certificate it shows over TLS. `mesh`: that of its node, by the mesh CA. `public`: one for `host`, by an authority that the hosts of the nodes trust; on a relay of the mesh, its agent is configured with it.',
});
export const RelaySite = maybe(
  Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' }),
  'Where it stands, such as a data centre. Null: not said.',
);
export const RelayCapacity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000,
  description:
    'Nodes assigned to it at most, and those that it is the standby of. An operator can pin more nodes to it.',
});

export const Relay = named(
  'Relay',
  Type.Object(
    {
      name: RelayName,
      kind: Type.Enum(RELAY_KINDS, {
        description: '`node`: the agent of a node runs it. `external`: a TURN server that the mesh does not run.',
      }),
      node: maybe(NodeIdText, 'The node that runs it. Null: it is external.'),
      host: RelayHost,
      port: RelayPort,
      tls_port: RelayTlsPort,
      certificate: RelayCertificate,
      site: RelaySite,
      capacity: RelayCapacity,
      draining: Type.Boolean({ description: 'True: it is given no node, and those it had go elsewhere.' }),
      healthy: Type.Boolean({
        description:
          'Whether it is proven to work: a fresh node other than its own reports that its packets came back through it, and its own node is fresh, approved and stays.',
      }),
      health: Type.String({ description: 'Why it is healthy or not, in words.' }),
      nodes: Type.Integer({ description: 'Nodes assigned to it now.' }),
      standbys: Type.Integer({
        description: 'Nodes that it is the standby of, including those that are moving off it.',
      }),
      load: maybe(
        RelayLoad,
        'What its node reports that it carries. Null: it has not reported, or the relay is external.',
      ),
      created_at: Timestamp('When it was made.'),
      revision: Type.Integer({ description: 'Of the mesh, when it last changed. Also its ETag.' }),
    },
    { additionalProperties: false },
  ),
);
export type Relay = Static<typeof Relay>;

export const exampleRelay: Relay = {
  name: 'fra-1',
  kind: 'node',
  node: exampleNode.id,
  host: 'fra-1.example.net',
  port: 3478,
  tls_port: 443,
  certificate: 'mesh',
  site: 'fra',
  capacity: 500,
  draining: false,
  healthy: true,
  health: 'Proven by 12 nodes.',
  nodes: 12,
  standbys: 7,
  load: {
    allocations: 24,
    sessions: 310,
    refused: 2,
    denied: 0,
    over_quota: 0,
    rx_bytes: 73_400_320,
    tx_bytes: 73_398_112,
    rx_packets: 61_200,
    tx_packets: 61_198,
  },
  created_at: '2026-11-15T09:30:00Z',
  revision: 1184,
};
