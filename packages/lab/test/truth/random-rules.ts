/** Random host rules. None of them keeps an agent from its coordinator or WireGuard from its peers. */
import type { Client, RequestOf } from '@meshwork/client';
import { MESH_INTERFACE, type Node } from '@meshwork/contract';
import type { Random } from '../seeded.ts';
import { times } from './random-policy.ts';
import { BEHIND, NAMES, ROLES, SUBNET, TEAMS } from './roster.ts';

export type Rule = RequestOf<'firewall.create'>['body'];

/** In the place of whatever rules there are. */
export async function replaceRules(client: Client, rules: readonly Rule[]): Promise<void> {
  const { items } = (await client.call('firewall.list', { query: { limit: 200 } })).body;
  for (const { id } of items) await client.call('firewall.delete', { params: { id } });
  for (const body of rules) await client.call('firewall.create', { body });
}

export function randomRules(random: Random, nodes: readonly Node[]): Rule[] {
  return times(random.below(4), () => randomRule(random, nodes));
}

function randomRule(random: Random, nodes: readonly Node[]): Rule {
  const protocol = random.weighted<Rule['protocol']>([
    [5, 'tcp'],
    [1, 'any'],
    [1, 'udp'],
    [1, 'icmp'],
  ]);
  // With `any` the agent's own traffic is meant too, unless the rule speaks of the ports or the addresses of the mesh.
  const name = random.pick(protocol === 'tcp' ? ['mesh', 'any', MESH_INTERFACE, 'eth0'] : ['mesh', MESH_INTERFACE]);
  return {
    nodes: [holder(random)],
    direction: random.weighted<Rule['direction']>([
      [4, 'in'],
      [3, 'out'],
      [3, 'forward'],
    ]),
    interface: name,
    protocol,
    action: random.weighted<Rule['action']>([
      [6, 'drop'],
      [3, 'accept'],
      [1, 'log'],
    ]),
    ...(protocol === 'tcp' ? { ports: [random.pick(['7001', '7002', '7001-7003', '7003-7100', '7004'])] } : {}),
    ...places(random, nodes),
  };
}

function holder(random: Random): string {
  return random.pick([
    '*',
    `node:${random.pick(NAMES)}`,
    `node:${random.pick(SUBNET.providers)}`,
    `tag:role:${random.pick(ROLES)}`,
    `scope:${random.pick(TEAMS)}/*/*`,
  ]);
}

/** A rule that names both sides has to name them in the same families. */
function places(random: Random, nodes: readonly Node[]): Pick<Rule, 'from' | 'to'> {
  const families = random.pick([[4], [6], [4, 6]] as const);
  const side = () => families.flatMap((family) => networks(random, family, nodes));
  return { ...(random() < 0.35 ? { from: side() } : {}), ...(random() < 0.35 ? { to: side() } : {}) };
}

function networks(random: Random, family: 4 | 6, nodes: readonly Node[]): string[] {
  const { address, address6 } = random.pick(nodes);
  if (family === 6) return [random.pick([address6, 'fd00::/8'])];
  return [random.pick([address, '100.64.0.0/10', SUBNET.cidr, `${BEHIND.address}/32`])];
}
