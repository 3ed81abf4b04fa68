/** The mesh that explanations are held against: who is in it, what they offer, and what is behind them. */
import type { NodeSpec } from '../../src/namespaces/plan/lab-spec.ts';

export const SUBNET = { cidr: '10.50.0.0/24', providers: ['gw-1', 'gw-2'] } as const;
/** The host in the subnet, as a place of the lab, and where it is. */
export const BEHIND = { place: 'host-1', address: '10.50.0.10' } as const;

/** No service ever listens on the last one, and none is reported there. */
export const PORTS = [7001, 7002, 7003, 7004, 7005] as const;
export const LISTENED_ON = PORTS.slice(0, -1);

export const TEAMS = ['red', 'blue'] as const;
export const ROLES = ['web', 'db', 'dev'] as const;

/** `web` on several nodes and ports, `db` on one node, and `spare` on the port of `db` among others. */
export const NODES: readonly NodeSpec[] = [
  { name: 'gw-1', tags: ['team:red', 'role:web'], services: ['web:tcp:7001'] },
  { name: 'gw-2', tags: ['team:red', 'role:db'] },
  { name: 'red-1', tags: ['team:red', 'role:web', 'audited'], services: ['web:tcp:7001', 'spare:tcp:7004'] },
  { name: 'red-2', tags: ['team:red', 'role:dev'] },
  { name: 'blue-1', tags: ['team:blue', 'role:db'], services: ['db:tcp:7002'] },
  { name: 'blue-2', tags: ['team:blue', 'role:dev', 'audited'], services: ['web:tcp:7003'] },
  { name: 'home', tags: ['role:dev'], nat: true, services: ['spare:tcp:7002'] },
  { name: 'lone', tags: ['role:web'] },
];
export const SERVICES = ['web', 'db', 'spare'] as const;
export const NAMES: readonly string[] = NODES.map(({ name }) => name);

/** Their link is cut before they have ever shaken hands. */
export const STRANGERS = ['blue-2', 'lone'] as const;
/** Their link is cut after they have, and both stay what they are: their handshake is to grow old. */
export const PARTED = ['red-1', 'red-2'] as const;

export function isCut(one: string, other: string): boolean {
  return areStrangers(one, other) || areBoth(PARTED, one, other);
}

export function areStrangers(one: string, other: string): boolean {
  return areBoth(STRANGERS, one, other);
}

function areBoth(pair: readonly string[], one: string, other: string): boolean {
  return one !== other && pair.includes(one) && pair.includes(other);
}

/** The service that a node declares on a port. Undefined: none. */
export function declaredOn(name: string, port: number): string | undefined {
  const services = NODES.find((node) => node.name === name)?.services ?? [];
  return services.find((service) => service.endsWith(`:tcp:${port}`))?.split(':')[0];
}
