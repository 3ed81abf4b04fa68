/** The mesh that explanations are compared in: its nodes, what they offer, and what is behind them. */
import type { NodeSpec } from '../../src/namespaces/plan/lab-spec.ts';

export const SUBNET = { cidr: '10.50.0.0/24', providers: ['gw-1', 'gw-2'] } as const;
/** The host in the subnet, as a place of the lab, and its address. */
export const BEHIND = { place: 'host-1', address: '10.50.0.10' } as const;

export const PORTS = [7001, 7002, 7003, 7004, 7005] as const;
/** Nothing ever listens on the last one, and no service is declared there. */
export const LISTENED_ON: readonly number[] = PORTS.slice(0, -1);
export const UDP_PORTS: readonly number[] = [7001, 7002];
/** Echoes, and only `*` grants it: what arrives here shows that a packet filter is open. */
export const METER_PORT = 7009;

export const TEAMS = ['red', 'blue'] as const;
export const ROLES = ['web', 'db', 'dev'] as const;

/** `web` on several nodes and ports, `db` on one node, and `spare` on the port of `db` among others. */
export const NODES: readonly NodeSpec[] = [
  { name: 'gw-1', tags: ['team:red', 'role:web'], services: ['web:tcp:7001'] },
  { name: 'gw-2', tags: ['team:red', 'role:db'] },
  { name: 'red-1', tags: ['team:red', 'role:web', 'audited'], services: ['web:tcp:7001', 'spare:tcp:7004'] },
  { name: 'red-2', tags: ['team:red', 'role:dev'] },
  { name: 'red-3', tags: ['team:red', 'role:web'] },
  { name: 'blue-1', tags: ['team:blue', 'role:db'], services: ['db:tcp:7002'] },
  { name: 'blue-2', tags: ['team:blue', 'role:dev', 'audited'], services: ['web:tcp:7003'] },
  { name: 'blue-3', tags: ['team:blue', 'role:web'] },
  { name: 'home', tags: ['role:dev'], nat: true, services: ['spare:tcp:7002'] },
  { name: 'lone', tags: ['role:web'] },
];
export const SERVICES = ['web', 'db', 'spare'] as const;
export const NAMES: readonly string[] = NODES.map(({ name }) => name);
export const BEHIND_NAT = 'home';

export function isProvider(name: string): boolean {
  return SUBNET.providers.some((provider) => provider === name);
}
