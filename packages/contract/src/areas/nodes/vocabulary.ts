import type { Vocabulary } from '../../vocabulary-type.ts';

export const NODE_NAME_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$';
export const SERVICE_NAME_PATTERN = '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$';
/** Those that a scope stamps on a node included. */
export const MAX_TAGS = 32;

/** WireGuard’s interface. */
export const MESH_INTERFACE = 'mesh0';
/** The nftables table that belongs to the agent alone. */
export const NODE_TABLE = 'mesh';
/** Where WireGuard listens, unless the host is configured otherwise. */
export const WIREGUARD_PORT = 51_820;

/** Which routes of the mesh a host takes. The agent decides, and reports it to the coordinator. */
export const ACCEPT_ROUTES = ['all', 'subnets', 'none'] as const;
export const SERVICE_HEALTH = ['passing', 'failing', 'unknown'] as const;

/** In the order in which one wins over the next when several are true. */
export const NODE_STATES = [
  'removed',
  'pending',
  'quarantined',
  'unreachable',
  'stale',
  'joining',
  'draining',
  'active',
] as const;
export type NodeState = (typeof NODE_STATES)[number];

export const nodeVocabulary = {
  permissions: {
    'nodes:read': 'List and read nodes, their posture and services.',
    'nodes:enroll': 'Enrol new nodes within your scope.',
    'nodes:write': 'Re-tag, re-key and drain nodes, move their relay and approve their routes.',
    'nodes:diagnose': 'Run diagnostics on a node.',
    'nodes:approve': 'Approve a pending node.',
    'nodes:quarantine': 'Quarantine a node, and release it.',
    'nodes:remove': 'Remove a node permanently.',
  },
  ids: { node: 'node' },
} as const satisfies Vocabulary;
