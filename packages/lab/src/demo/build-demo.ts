import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@meshwork/client';
import { type SettingsPatch, WHOLE_MESH } from '@meshwork/contract';
import type { Fleet } from '../fleet.ts';
import type { SimulatedNode } from '../simulated-node.ts';
import { DEMO_POLICY } from './demo-policy.ts';
import { DEMO_CAST, demoNat, NETWORKS, RELAYS } from './roster.ts';

/** Ours: who watches should see within seconds what takes a minute in a real mesh, and see it for as long as they like. */
export const DEMO_PACE = {
  heartbeat_interval_s: 5,
  stale_after_s: 10,
  unreachable_after_s: 86_400,
  drift_after_s: 5,
} as const satisfies SettingsPatch['nodes'];

/** Ours: heartbeats that wait are answered at once, so it takes a moment; a demo that does not settle is still one to look at. */
const SETTLES_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

export const INGRESSES = {
  git: { service: 'git-http', team: 'platform' },
  shop: { service: 'shop-web', team: 'shop' },
} as const;

/**
 * Makes an empty mesh one to look at, of a fleet that was made for a roster: enrols those on it, gives some of them a
 * role, and gets some of them into trouble. What follows from that the coordinator concludes by itself.
 */
export async function buildDemo(
  { client, fleet }: { readonly client: Client; readonly fleet: Fleet },
  nodes: number,
  progress: (done: number) => void = () => undefined,
): Promise<void> {
  await client.call('settings.update', { body: { nodes: DEMO_PACE } });
  const joined = async (count: number) => {
    const before = fleet.nodes.length;
    await fleet.join(count, (done) => progress(before + done));
    await fleet.until(({ active }) => active === before + count); // a role goes to no node that never sent a heartbeat
  };
  const relays = Object.keys(RELAYS).length;
  await joined(relays);
  await makeRelays(client); // and proven, before the others come, who would all go to the first one
  await joined(nodes - relays - 1);
  for (const node of fleet.nodes) node.report({ nat: demoNat(node.name) });
  await client.call('acls.replace', { body: DEMO_POLICY, query: { note: 'what the teams agreed on' } });
  await Promise.all([approveNetworks(client, fleet), makeIngresses(client)]);
  await causeTrouble(client, fleet);
  await enrolUnapproved(client, fleet);
  await untilExplained(client);
  progress(nodes);
}

/** Until both ends report the policy as in effect, so that the first `explain` a visitor tries gives the final answer. */
async function untilExplained(client: Client): Promise<void> {
  const query = { from: DEMO_CAST.laptop, to: DEMO_CAST.server, port: 'tcp:22' };
  await settled(async () => (await client.call('acls.explain', { query })).body.verdict !== 'unknown');
}

async function settled(check: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + SETTLES_WITHIN_MS;
  while (!(await check()) && performance.now() < deadline) await pause(LOOK_EVERY_MS);
}

export function nodeNamed(fleet: Fleet, name: string): SimulatedNode {
  const node = fleet.nodes.find((one) => one.name === name);
  if (node === undefined) throw new Error(`the demo has no node ${name}`);
  return node;
}

async function makeRelays(client: Client): Promise<void> {
  for (const [name, node] of Object.entries(RELAYS)) {
    await client.call('relays.create', { body: { name, node, host: `${name}.example.net`, site: name.slice(0, 3) } });
  }
  await settled(async () => (await client.call('relays.list')).body.items.every(({ healthy }) => healthy));
}

async function approveNetworks(client: Client, fleet: Fleet): Promise<void> {
  for (const [network, providers] of Object.entries(NETWORKS)) {
    for (const name of providers) {
      const { id } = nodeNamed(fleet, name);
      await client.call('nodes.approve_routes', { params: { id }, body: { approved: [network] } });
    }
  }
}

async function makeIngresses(client: Client): Promise<void> {
  for (const [name, { service, team }] of Object.entries(INGRESSES)) {
    await client.call('ingress.create', {
      body: {
        name,
        hostname: `${name}.example.net`,
        service,
        // Its gateways are simulated, and have no key that a certificate could be for.
        tls: { certificate: 'none' },
        gateways: ['tag:role:gateway'],
        scope: { ...WHOLE_MESH, team, environment: 'production' },
      },
    });
  }
}

async function causeTrouble(client: Client, fleet: Fleet): Promise<void> {
  const { id } = nodeNamed(fleet, DEMO_CAST.quarantined);
  await client.call('nodes.quarantine', {
    params: { id },
    body: { reason: 'connects to unknown addresses' },
  });
  fleet.fail([nodeNamed(fleet, DEMO_CAST.drifting)], 'wrong_digests');
  await fleet.stop([nodeNamed(fleet, DEMO_CAST.silent)]);
}

/** The next of the fleet has to wait for approval; those who come after it do not. */
async function enrolUnapproved(client: Client, fleet: Fleet): Promise<void> {
  await client.call('settings.update', { body: { nodes: { require_approval: true } } });
  await fleet.join(1);
  await client.call('settings.update', { body: { nodes: { require_approval: false } } });
}
