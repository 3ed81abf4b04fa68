/** Whatever happens to a mesh, and in whatever order: once it is quiet, every node holds what it should. */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { ApiError } from '@meshwork/client';
import type { NodeOperation } from '@meshwork/contract';
import { Fleet, type SimulatedNode } from '../src/index.ts';
import { agreement, allNodes } from './agreement.ts';
import { KillableMesh } from './killable-mesh.ts';
import { LossyProxy } from './lossy-proxy.ts';
import { type Random, seeded } from './seeded.ts';
import { until } from './until.ts';

const NODES = 60;
const TEAMS = ['team:red', 'team:green', 'team:blue'];
/** How the coordinator is restarted half-way through each round. */
const ROUNDS = [undefined, 'SIGKILL', 'SIGTERM'] as const;
/** Changes before a restart, and after it; some of them while agents are still coming back. */
const STEPS = 60;
const EARLY_STEPS = 15;
/** While a round goes on: so many of all requests never arrive, and so many answers. */
const LOST_REQUESTS = 0.03;
const LOST_ANSWERS = 0.08;

test('views converge after anything', async (t) => {
  const seed = Number(process.env.MESH_TEST_SEED ?? randomInt(2 ** 32));
  t.diagnostic(`MESH_TEST_SEED=${seed}`);
  try {
    await drive(seeded(seed));
  } catch (error) {
    throw new Error(`with MESH_TEST_SEED=${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
});

async function drive(random: Random): Promise<void> {
  // Nothing heals by itself here: a node that drifts is sent everything anew, which would hide why it did.
  await using mesh = await KillableMesh.start({ nodes: { heartbeat_interval_s: 1, drift_after_s: 3600 } });
  let isLossy = false;
  await using proxy = await LossyProxy.start(mesh.url, {
    lose: ({ method }) => {
      // A removal is the one request that no client repeats when it is unknown whether it took effect.
      const chance = isLossy && method !== 'DELETE' ? random() : 1;
      if (chance < LOST_REQUESTS) return 'request';
      return chance < LOST_REQUESTS + LOST_ANSWERS ? 'answer' : 'nothing';
    },
  });
  const tags = () => [random.pick(TEAMS)];
  await using fleet = new Fleet({ urls: [proxy.url], token: mesh.token, tags, random, keep: 'records' });
  await fleet.join(NODES);
  await agreement(mesh.client, fleet);

  const removed = new Set<string>();
  const changes = async (steps: number) => {
    for (let step = 0; step < steps; step++) {
      await change({ mesh, fleet, removed }, random);
      await new Promise((resolve) => setTimeout(resolve, random() * 40)); // a pace, not a wait: things overlap or not
    }
  };
  for (const restart of ROUNDS) {
    isLossy = true;
    await changes(STEPS);
    isLossy = false;
    if (restart !== undefined) {
      await mesh.end(restart);
      for (const node of fleet.some(10)) fleet.move(node);
      await mesh.startAgain();
      await changes(EARLY_STEPS);
      await fleet.until(({ retrying }) => retrying === 0);
      isLossy = true;
      await changes(STEPS);
      isLossy = false;
    }
    await agreement(mesh.client, fleet);
    await assertAllAccountedFor({ mesh, fleet, removed });
  }
  await fleet.restart(fleet.nodes.filter(({ ending }) => ending === undefined));
  await agreement(mesh.client, fleet);
  await assertAllEnded(mesh);
  assert.equal((await mesh.client.call('audit.verify', { body: {} })).body.intact, true);
}

interface Driven {
  readonly mesh: KillableMesh;
  readonly fleet: Fleet;
  /** Nodes that were removed while they ran. */
  readonly removed: Set<string>;
}

/** One thing that happens to the mesh, the likely ones more often. */
async function change({ mesh, fleet, removed }: Driven, random: Random): Promise<void> {
  const { client } = mesh;
  const [node] = fleet.some(1);
  if (node === undefined) return;
  const params = { id: node.id };
  const silent = fleet.nodes.filter(({ running, ending }) => !running && ending === undefined);
  const cut = () => fleet.nodes.filter(({ self }) => self?.state === 'quarantined');
  await random.weighted<() => unknown>([
    [30, () => fleet.move(node)],
    [12, () => refusable(client.call('nodes.retag', { params, body: { tags: [random.pick(TEAMS)] } }))],
    [6, () => refusable(client.call('nodes.quarantine', { params, body: {} }))],
    [
      8,
      () =>
        eachOf(cut().slice(0, 2), ({ id }) => refusable(client.call('nodes.release', { params: { id }, body: {} }))),
    ],
    [4, () => refusable(client.call('nodes.rekey', { params, body: {} }))],
    [5, () => refusable(fleet.leave([node]))],
    [2, () => refusable(client.call('nodes.remove', { params }).then(() => removed.add(node.id)))], // while it runs
    [8, () => fleet.join(1)],
    [8, () => fleet.stop([node])],
    [10, () => fleet.restart(silent.slice(0, 2))],
    [7, () => fleet.restart([node])],
  ])();
}

async function eachOf<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  await Promise.all(items.map(act));
}

/** The node may have been asked for the same already, or be in no state for it. */
async function refusable(asked: Promise<unknown>): Promise<void> {
  await asked.catch((error: unknown) => {
    if (!(error instanceof ApiError) || !['operation_in_progress', 'node_state'].includes(error.code ?? ''))
      throw error;
  });
}

/** Every node of the mesh is one of the fleet, enrolled once; and who was removed has noticed. */
async function assertAllAccountedFor({ mesh, fleet, removed }: Driven): Promise<void> {
  const records = await allNodes(mesh.client);
  // One that was stopped before it had noticed that it was removed cannot know.
  const isGone = ({ id, running }: SimulatedNode) => !running && removed.has(id);
  const alive = fleet.nodes.filter((node) => node.ending === undefined && !isGone(node));
  assert.deepEqual(ids(records), ids(alive));
  const ended = fleet.nodes.filter(({ ending }) => ending !== undefined);
  // `unknown`: it was removed while it was silent, so that this start of it was never accepted.
  for (const { ending } of ended) assert.match(ending?.reason ?? '', /^(removed|unknown)$/);
}

function ids(nodes: Iterable<{ readonly id: string } | SimulatedNode>): string[] {
  return Array.from(nodes, ({ id }) => id).sort();
}

/** With all nodes back, no requested operation stays open, and none failed. */
async function assertAllEnded({ client }: KillableMesh): Promise<void> {
  let operations: NodeOperation[] = [];
  const ended = async () => {
    operations = await Array.fromAsync(client.pages('operations.list', { query: { limit: 200 } }));
    return operations.every(({ ended_at }) => ended_at !== null);
  };
  await until(ended, () => {
    const open = operations.filter(({ ended_at }) => ended_at === null);
    return `still open: ${JSON.stringify(open.slice(0, 3))}`;
  });
  const states = Map.groupBy(operations, ({ state }) => state);
  assert.deepEqual(
    [...states.keys()].filter((state) => state !== 'verified' && state !== 'cancelled'),
    [],
  );
}
