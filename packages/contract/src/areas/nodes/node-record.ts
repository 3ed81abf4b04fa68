/** A node as callers see it. */

import { ActorRef } from '../../actor.ts';
import { Abilities } from '../../heartbeat/report.ts';
import { type Id, idPattern } from '../../ids.ts';
import { maybe } from '../../maybe.ts';
import { named } from '../../named.ts';
import {
  AcceptRoutes,
  AgentVersion,
  Cidrs,
  Endpoints,
  HostNames,
  IdentityKey,
  NatMappingText,
  NodeIdText,
  NodeName,
  NodeStateText,
  RelayedPlaces,
  Services,
  Tags,
  WireguardKey,
} from '../../node-fields.ts';
import { Timestamp } from '../../timestamp.ts';
import { type Static, Type } from '../../type.ts';

/** The first nine fields are the specification's, named and formed as it has them. */
const nodeFields = {
  id: NodeIdText,
  name: NodeName,
  address: Type.String({ description: 'Its IPv4 address in the mesh, as a /32.' }),
  tags: Tags,
  routes: Type.Array(Type.String(), {
    description:
      'Networks it reaches through others: `<cidr> via <node name>`. One for each network, as its agent uses it.',
  }),
  relay: maybe(Type.String(), 'Name of the relay assigned to it. Null: none is, or one that you may not see.'),
  services: Type.Array(Type.String(), { description: 'Names of the services bound to it.' }),
  heartbeat: maybe(Timestamp('The last heartbeat, to within a second. Null: there was none yet.')),
  acl_matches: Type.Array(Type.String(), {
    description: 'Grants it takes part in: `<source group> -> <destination group>`.',
  }),
  state: NodeStateText,
  state_since: Timestamp('Since when.'),
  address6: Type.String({ description: 'Its IPv6 address in the mesh, as a /128.' }),
  endpoints: Endpoints,
  service_bindings: Services,
  routes_offered: Cidrs('Networks it offers to forward to.'),
  routes_approved: Cidrs('Networks it is approved to forward to.'),
  routes_provided: Cidrs('Those that its peers reach through it now.'),
  routes_shared: Cidrs('Approved networks that are for the whole mesh. The others are for its own boundary.'),
  routes_overlapping: Cidrs('Approved networks that overlap one that is approved in another boundary.'),
  routes_refused: Type.Array(
    Type.Object(
      {
        cidr: Type.String({ description: 'The network.' }),
        reason: Type.String({ description: 'Why it is refused, and what would be right.' }),
      },
      { additionalProperties: false },
    ),
    { description: 'Networks it offers that no node can have behind it.' },
  ),
  accept_routes: maybe(AcceptRoutes, 'Which routes its host takes. Null: its agent does not report it, and takes all.'),
  nat: maybe(NatMappingText, 'What stands between its host and the internet. Null: not reported.'),
  names: maybe(HostNames, 'How names of the mesh are resolved on its host. Null: not reported.'),
  relayed: maybe(
    RelayedPlaces,
    'Where it receives through relays that you may see, its own relay first. Null: its agent does not report it.',
  ),
  standby_relay: maybe(
    Type.String(),
    'The relay that it also receives by, and that takes over when the other is lost. Null: none, or one that you may not see.',
  ),
  relay_rtt_ms: maybe(Type.Number(), 'Round trip to its relay, as it last measured it. Null: not known.'),
  standby_rtt_ms: maybe(Type.Number(), 'Round trip to its standby, as it last measured it. Null: not known.'),
  relay_choice: maybe(
    Type.Object(
      {
        relay: Type.String({ description: 'Its relay.' }),
        standby: maybe(Type.String(), 'Its standby. Null: none, or one that you may not see.'),
        why: Type.String({ description: 'Why that relay, in words.' }),
        chosen_at: Timestamp('When it became its relay.'),
      },
      { additionalProperties: false },
    ),
    'How its relay was chosen. Null: it has none, you may not see it, or an older version chose it.',
  ),
  pinned_relay: maybe(
    Type.String(),
    'The relay that an operator chose for it. Null: the coordinator chooses, or you may not see it.',
  ),
  identity_key: IdentityKey,
  wireguard_key: WireguardKey,
  agent_version: maybe(AgentVersion, 'Version of its agent. Null: not reported.'),
  abilities: maybe(
    Type.Object(Abilities.properties, { additionalProperties: false }),
    'What its agent can carry, with versions. Null: not reported; see `report.abilities` of the heartbeat.',
  ),
  clock_skew_s: maybe(Type.Number(), 'How far its clock is ahead of ours, in seconds. Null: not known.'),
  seen_from: maybe(Type.String(), 'The address its last heartbeat came from. Null: not known.'),
  drift_since: maybe(
    Timestamp('Since when it drifts from its desired state; its posture says why. Null: it does not.'),
  ),
  created_at: Timestamp('When it was enrolled.'),
  created_by: ActorRef,
  revision: Type.Integer({ description: 'Of the mesh, when its record last changed. Also its ETag.' }),
};
export type NodeId = Id<'node'>;
export const Node = named('Node', Type.Object(nodeFields, { additionalProperties: false }));
export type Node = Static<typeof Node>;

export const EnrolledNode = named(
  'EnrolledNode',
  Type.Object(
    {
      ...nodeFields,
      enrollment: Type.Object(
        {
          operation: Type.String({ pattern: idPattern('operation'), description: 'Verified by the first heartbeat.' }),
          audience: Type.String({ description: 'The `aud` of the node’s proofs of identity: the id of the mesh.' }),
          interval_s: Type.Integer({ description: 'Seconds between heartbeats.' }),
        },
        { additionalProperties: false, description: 'What the agent needs to go on.' },
      ),
    },
    { additionalProperties: false },
  ),
);
export type EnrolledNode = Static<typeof EnrolledNode>;

export const exampleNode: Node = {
  id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4n',
  name: 'git-1',
  address: '100.64.0.7/32',
  tags: ['env:production', 'role:git', 'team:platform'],
  routes: ['10.20.0.0/16 via gw-1'],
  relay: 'fra-1',
  services: ['git-ssh'],
  heartbeat: '2026-11-15T09:30:00Z',
  acl_matches: ['platform/*/production -> platform/*/production'],
  state: 'active',
  state_since: '2026-11-15T09:00:00Z',
  address6: 'fd4c:9a1e:77b0::6440:7/128',
  endpoints: ['192.0.2.7:51820'],
  service_bindings: [{ name: 'git-ssh', protocol: 'tcp', port: 22, health: 'passing' }],
  routes_offered: [],
  routes_approved: [],
  routes_provided: [],
  routes_shared: [],
  routes_overlapping: [],
  routes_refused: [],
  accept_routes: 'subnets',
  nat: 'endpoint-independent',
  names: { resolver: 'systemd-resolved' },
  relayed: [{ relay: 'fra-1', endpoint: '198.51.100.9:49160' }],
  standby_relay: 'ams-1',
  relay_rtt_ms: 12.4,
  standby_rtt_ms: 31,
  relay_choice: {
    relay: 'fra-1',
    standby: 'ams-1',
    why: 'fra-1: 12 ms, the next is ams-1 with 31 ms',
    chosen_at: '2026-11-15T09:00:10Z',
  },
  pinned_relay: null,
  identity_key: 'n1hgk0X5nCGAVVoDLYI3m2DlbkDlOFuBpl1nO0e3x1w=',
  wireguard_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
  agent_version: '0.1.0',
  abilities: {
    sections: ['self', 'peers', 'acl', 'firewall', 'relays', 'commands'],
    engines: { wireguard: 'kernel 6.12.57', nftables: '1.1.3' },
  },
  clock_skew_s: 0,
  seen_from: '192.0.2.7',
  drift_since: null,
  created_at: '2026-11-15T09:00:00Z',
  created_by: { kind: 'token', id: 'token_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'enrol git' },
  revision: 1184,
};
