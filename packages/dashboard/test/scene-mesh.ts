/** A mesh on an empty coordinator: simulated nodes with real heartbeats, and what an operator would have configured. */

import type { Client, RequestOf } from '@meshwork/client';
import { type Node, utc, WHOLE_MESH } from '@meshwork/contract';
import { Fleet, type SimulatedNode } from '@meshwork/lab';
import type { TestPanel } from '@meshwork/panel/testing';
import { type SleepingClock, systemClock } from '@meshwork/time';
import { spreadPaths } from './scene-paths.ts';
import { DRIFTING, NETWORK, OTHER_RELAY, PENDING, POLICY, RELAY, ROSTER, SILENT } from './scene-roster.ts';
import { until } from './until.ts';

/** Ours: changes reach a page within seconds, and no node becomes stale on a busy machine. */
const PACE = { heartbeat_interval_s: 5, stale_after_s: 20, unreachable_after_s: 86_400, drift_after_s: 5 };
const DAY_S = 24 * 3600;

interface Place {
  readonly panel: TestPanel;
  readonly client: Client;
  /** Where nodes find the coordinator. */
  readonly url: string;
}

export async function settleMesh({ panel, client, url }: Place): Promise<Fleet> {
  await client.call('settings.update', { body: { nodes: PACE } });
  // Nodes live in the time of the coordinator, which a test may move.
  const clock: SleepingClock = { now: () => panel.clock.now(), sleep: systemClock.sleep };
  const fleet = new Fleet({
    urls: [url],
    token: panel.coordinator.owner,
    clock,
    concurrency: 1,
    keep: 'records',
    name: (index) => ROSTER[index]?.name ?? `guest-${index}`,
    tags: (index) => ROSTER[index]?.tags ?? ['role:guest'],
    services: (index) => ROSTER[index]?.services ?? [],
    routes: (index) => ROSTER[index]?.routes ?? [],
  });
  try {
    await bringTrouble(panel, client, fleet);
    await join(fleet, ROSTER.length - 2 - 1);
    await Promise.all([equip(client, fleet), hostRules(client), tokens(panel, client)]);
    await enrolPending(client, fleet);
    await until('the mesh is as it should look', () => looksRight(client));
    return fleet;
  } catch (error) {
    await fleet.close();
    throw error;
  }
}

export function nodeNamed(fleet: Fleet, name: string): SimulatedNode {
  const node = fleet.nodes.find((one) => one.name === name);
  if (node === undefined) throw new Error(`There is no node ${name}.`);
  return node;
}

async function join(fleet: Fleet, count: number): Promise<void> {
  const before = fleet.stats().active;
  await fleet.join(count);
  await fleet.until(({ active }) => active >= before + count);
}

/** One node goes offline and one reports wrong digests. Before other nodes join, so that these two are picked by name. */
async function bringTrouble(panel: TestPanel, client: Client, fleet: Fleet): Promise<void> {
  await join(fleet, 2);
  await fleet.stop([nodeNamed(fleet, SILENT)]);
  fleet.fail([nodeNamed(fleet, DRIFTING)], 'wrong_digests');
  panel.clock.advance(2 * PACE.stale_after_s); // staleness counts time in which the coordinator was up; a busy machine may lose some
  await until('it is missed', async () => (await stateOf(client, SILENT)) === 'stale');
}

async function equip(client: Client, fleet: Fleet): Promise<void> {
  const relay = (name: string, node: string, site: string) =>
    client.call('relays.create', { body: { name, node, site, host: `${name}.example.net` } });
  await relay(RELAY, 'relay-fra', 'fra');
  await relay(OTHER_RELAY, 'gw-1', 'ams');
  spreadPaths(fleet);
  await client.call('acls.replace', { body: POLICY, query: { note: 'what the teams agreed on' } });
  const { id } = nodeNamed(fleet, 'gw-1');
  await client.call('nodes.approve_routes', { params: { id }, body: { approved: [NETWORK] } });
  await client.call('ingress.create', {
    body: {
      name: 'git',
      hostname: 'git.example.net',
      service: 'git-http',
      gateways: ['tag:role:gateway'],
      scope: { ...WHOLE_MESH, team: 'platform', environment: 'production' },
    },
  });
}

/** The second is never asked, because the first speaks about all that it does. */
async function hostRules(client: Client): Promise<void> {
  const add = (rule: Pick<RequestOf<'firewall.create'>['body'], 'action' | 'from' | 'ports' | 'rate' | 'note'>) =>
    client.call('firewall.create', {
      body: { nodes: ['tag:role:db'], direction: 'in', interface: 'eth0', protocol: 'tcp', ...rule },
    });
  await add({ from: ['192.0.2.0/24'], ports: ['8000-8999'], action: 'drop', note: 'the guest network' });
  await add({ from: ['192.0.2.7/32'], ports: ['8080'], action: 'accept', note: 'the printer' });
  await add({ ports: ['9100'], action: 'accept', rate: { count: 10, per: 'minute' }, note: 'metrics' });
}

async function tokens(panel: TestPanel, client: Client): Promise<void> {
  const expires = (days: number) => utc(panel.clock.now() + days * DAY_S * 1000);
  const make = (name: string, role: string, days: number) =>
    client.call('tokens.create', { body: { name, role, scope: WHOLE_MESH, expires: expires(days) } });
  await make('ci deploy', 'pipeline', 90);
  await make('prometheus', 'monitoring', 3);
  await make('rack enrolment', 'enroller', 30);
  const { id } = (await make('old laptop', 'viewer', 30)).body;
  await client.call('tokens.revoke', { params: { id } });
}

async function enrolPending(client: Client, fleet: Fleet): Promise<void> {
  await client.call('settings.update', { body: { nodes: { require_approval: true } } });
  await fleet.join(1);
  await client.call('settings.update', { body: { nodes: { require_approval: false } } });
}

async function looksRight(client: Client): Promise<boolean> {
  const nodes = await allNodes(client);
  return nodes.every(({ name, state, drift_since }) => {
    if (name === SILENT) return state === 'stale';
    if (name === PENDING) return state === 'pending';
    return state === 'active' && (name === DRIFTING) === (drift_since !== null);
  });
}

export async function stateOf(client: Client, name: string): Promise<string | undefined> {
  return (await allNodes(client)).find((node) => node.name === name)?.state;
}

async function allNodes(client: Client): Promise<readonly Node[]> {
  return (await client.call('nodes.list', { query: { limit: 200 } })).body.items;
}
