/** Settings of nodes, and of operations on them. */
import { isLess, type SettingSections } from '../../feature/setting-fields.ts';

export const NODE_SETTINGS = {
  nodes: {
    title: 'Nodes',
    description: 'Addresses, approval, and when a node becomes stale or unreachable.',
    fields: {
      address_pool: {
        label: 'IPv4 address pool',
        meaning: 'Addresses of new nodes come from here: a network of /8 to /30 that nothing else uses.',
        kind: 'text',
        example: 'a network, such as 100.64.0.0/10',
        consequence: () =>
          'Existing nodes keep their addresses; new nodes get one from the new pool. Machines that use these addresses for something else can no longer reach it.',
      },
      address6_prefix: {
        label: 'IPv6 prefix',
        meaning: 'IPv6 addresses of new nodes come from here: a /64 inside fc00::/7.',
        kind: 'text',
        example: 'a network, such as fd4c:9a1e:77b0::/64',
        none: 'Generated for this mesh',
        consequence: () => 'Existing nodes keep their addresses; new nodes get one from the new prefix.',
      },
      require_approval: {
        label: 'New nodes need approval',
        meaning: 'A new node is pending, without access, until it is approved.',
        kind: 'switch',
        consequence: (after) =>
          after === false ? 'Anyone with an enrolment token can add nodes without a review.' : null,
      },
      heartbeat_interval_s: {
        label: 'Heartbeat interval',
        meaning: 'Time between two heartbeats of a node. A change reaches each node with its next heartbeat.',
        kind: 'count',
        unit: 's',
        consequence: (after, before) =>
          isLess(after, before) ? 'Every node contacts the coordinator more often.' : null,
      },
      stale_after_s: {
        label: 'Stale after',
        meaning: 'A node is stale when its last heartbeat is older than this. At least twice the interval.',
        kind: 'count',
        unit: 's',
        consequence: (after, before) =>
          isLess(after, before)
            ? 'Nodes on slow networks become stale sooner. They lose access where the policy drops stale nodes or a grant requires fresh ones.'
            : 'Peers keep trusting a dead node for longer.',
      },
      unreachable_after_s: {
        label: 'Unreachable after',
        meaning: 'A node is unreachable when its last heartbeat is older than this. Longer than “Stale after”.',
        kind: 'count',
        unit: 's',
        consequence: () => 'Relays, routes and ingresses move away from an unreachable node.',
      },
      drift_after_s: {
        label: 'Drift after',
        meaning: 'How long a node may take to apply its configuration before it counts as drifting.',
        kind: 'count',
        unit: 's',
      },
      port_mapping: {
        label: 'Map ports of routers',
        meaning:
          'A node behind a NAT asks its router to map a port to WireGuard, by PCP, NAT-PMP or UPnP, so that peers reach it directly.',
        kind: 'switch',
        consequence: (after) =>
          after === true
            ? 'Routers open a UDP port to every node that they grant one. WireGuard ignores packets from anyone but peers.'
            : 'Nodes give their ports back. Links that used one go through relays where no other direct path is found.',
      },
      removed_kept_days: {
        label: 'Keep removed nodes for',
        meaning: 'How long the record of a removed node stays visible.',
        kind: 'count',
        unit: 'days',
      },
    },
  },
  operations: {
    title: 'Operations',
    description: 'Actions on nodes that a heartbeat has to confirm.',
    fields: {
      timeout_s: {
        label: 'Operations time out after',
        meaning: 'How long an operation may take until a heartbeat confirms it.',
        kind: 'count',
        unit: 's',
      },
      kept_days: {
        label: 'Keep operations for',
        meaning: 'How long a finished operation stays visible.',
        kind: 'count',
        unit: 'days',
      },
    },
  },
} as const satisfies SettingSections;
