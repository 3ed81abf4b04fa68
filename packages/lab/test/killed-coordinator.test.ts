/** A coordinator that dies under a mesh of a thousand nodes, while they move, join and are asked for things. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, UnreachableError } from '@meshwork/client';
import type { NodeOperation, NodeState } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { systemClock } from '@meshwork/time';
import { Fleet, startFleet } from '../src/index.ts';
import { agreement, allNodes } from './agreement.ts';
import { Alarms } from './alarms.ts';
import { AnsweredEndpoints } from './answered-endpoints.ts';
import { KillableMesh } from './killable-mesh.ts';
import { LossyProxy } from './lossy-proxy.ts';
import { until } from './until.ts';

const NODES = 1000;
/** Of which so many go through a proxy that sees what they are answered. */
const WATCHED = 100;
const TEAM_SIZE = 25;
const KILLS = 2;
/** Who asks for operations, one after another each. */
const ASKERS = 4;

test(`a coordinator that is killed ${KILLS} times under ${NODES} agents loses no answer and no node`, {
  timeout: 540_000,
}, async () => {
  // A thousand agents in one process may be late on a busy machine. That an absence makes none stale is the next test's.
  await using mesh = await KillableMesh.start({
    nodes: { heartbeat_interval_s: 4, stale_after_s: 120, drift_after_s: 3600 },
  });
  const endpoints = new AnsweredEndpoints();
  await using proxy = await LossyProxy.start(mesh.url, endpoints);
  const tags = (prefix: string) => (index: number) => [`team:${prefix}${Math.floor(index / TEAM_SIZE)}`];
  // Pauses in the upper half of what they may be: fewer attempts in vain, so that the last of a thousand is back sooner.
  const options = { token: mesh.token, concurrency: 8, random: () => 0.5 + Math.random() / 2 };
  await using watched = new Fleet({ ...options, urls: [proxy.url], name: (n) => `watched-${n}`, tags: tags('w') });
  await using others = new Fleet({ ...options, urls: [mesh.url], name: (n) => `other-${n}`, tags: tags('o') });
  await using alarms = new Alarms(mesh.client);
  await Promise.all([watched.join(WATCHED), others.join(NODES - WATCHED)]);

  for (let kill = 0; kill < KILLS; kill++) {
    const known = [...watched.nodes, ...others.nodes].map(({ id }) => id);
    const operations = new AnsweredOperations(mesh, others);
    await using churn = new Churn(watched, others);
    const before = { moves: endpoints.count, nodes: others.nodes.length };
    await until(
      () =>
        endpoints.count >= before.moves + 50 && others.nodes.length >= before.nodes + 5 && operations.ended.size >= 10,
      () => `enough going on: ${endpoints.count} moves, ${others.nodes.length} nodes, ${operations.ended.size} ended`,
    );
    await mesh.end('SIGKILL');
    proxy.shut(); // no agent can repeat what may have been lost
    const enrolled = [...watched.nodes, ...others.nodes].map(({ id }) => id);
    churn.stop();
    await operations.over;
    await mesh.startAgain();

    // Those that were enrolled a moment before have not sent their first heartbeat.
    const calm = ['active', 'joining'] as const;
    assert.deepEqual(await notInState(mesh, enrolled, calm), [], 'all are there, and none is stale');
    const losses = (await allNodes(mesh.client)).map((record) => endpoints.lossOf(record));
    assert.deepEqual(
      losses.filter((loss) => loss !== null),
      [],
    );
    await operations.assertKept();

    proxy.open();
    await untilEnrolledOnce(mesh, [watched, others]);
    for (const fleet of [watched, others]) {
      await agreement(mesh.client, fleet, 120_000);
      await fleet.until(({ nodes, connected }) => connected === nodes);
    }
    assert.deepEqual(
      await notInState(mesh, known, ['active']),
      [],
      'all are active again, as the nodes that they were',
    );
  }
  await alarms.assertNone();
  assert.equal((await mesh.client.call('audit.verify', { body: {} })).body.intact, true);
});

test('a coordinator that was away for longer than nodes may be silent calls none of them stale', async () => {
  const mesh = await TestCoordinator.start();
  try {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { heartbeat_interval_s: 2 } } });
    await using proxy = await LossyProxy.start(mesh.url);
    const clock = { ...systemClock, now: () => mesh.clock.now() };
    await using fleet = await startFleet({ urls: [proxy.url], token: mesh.owner, nodes: 20, clock });
    await fleet.until(({ active }) => active === 20);
    await mesh.down();
    mesh.clock.advance(2 * 3600); // also longer than a session
    await mesh.up();
    proxy.target = mesh.url;
    const client = createClient({ url: mesh.url, token: mesh.owner });
    await using alarms = new Alarms(client);
    await agreement(client, fleet);
    await alarms.assertNone();
  } finally {
    await mesh.close();
  }
});

/** Nodes move and join until it is stopped. */
class Churn implements AsyncDisposable {
  readonly #stopping = new AbortController();
  readonly #moving: Promise<void>;

  constructor(watched: Fleet, others: Fleet) {
    others.churn({ moves: 1200, joins: 300 }, this.#stopping.signal);
    this.#moving = this.#move(watched);
  }

  stop(): void {
    this.#stopping.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    await this.#moving;
  }

  async #move(watched: Fleet): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      for (const node of watched.some(1)) watched.move(node);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Requests operations until the coordinator is gone, and remembers its answers. */
class AnsweredOperations {
  readonly ended = new Map<string, NodeOperation>();
  readonly #asked = new Set<string>();
  readonly #mesh: KillableMesh;
  readonly #fleet: Fleet;
  /** Resolves when the coordinator is gone. */
  readonly over: Promise<unknown>;

  constructor(mesh: KillableMesh, fleet: Fleet) {
    this.#mesh = mesh;
    this.#fleet = fleet;
    this.over = Promise.all(Array.from({ length: ASKERS }, (_, index) => this.#ask(index)));
  }

  async assertKept(): Promise<void> {
    const { client } = this.#mesh;
    for (const id of this.#asked) {
      const { body } = await client.call('operations.show', { params: { id } });
      const before = this.ended.get(id);
      if (before !== undefined) assert.deepEqual(body, before);
    }
  }

  async #ask(asker: number): Promise<void> {
    const client = createClient({ url: this.#mesh.url, token: this.#mesh.token, retry: false });
    const nodes = this.#fleet.nodes;
    try {
      for (let turn = asker; ; turn += ASKERS) {
        const params = { id: nodes[turn % nodes.length]?.id ?? '' };
        const { body: asked } = await client.call('nodes.rekey', { params, body: {} });
        this.#asked.add(asked.id);
        const { body } = await client.call('operations.show', { params: { id: asked.id }, query: { wait: 60 } });
        assert.equal(body.state, 'verified', JSON.stringify(body));
        this.ended.set(body.id, body);
      }
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
    }
  }
}

async function notInState(
  { client }: KillableMesh,
  ids: readonly string[],
  states: readonly NodeState[],
): Promise<readonly string[]> {
  const records = await allNodes(client);
  const found = new Set(records.filter(({ state }) => states.includes(state)).map(({ id }) => id));
  return ids.filter((id) => !found.has(id));
}

/** One that was being enrolled when the coordinator died is enrolled once, by whichever attempt. */
async function untilEnrolledOnce({ client }: KillableMesh, fleets: readonly Fleet[]): Promise<void> {
  const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id).sort();
  let [inMesh, inFleet]: string[][] = [[], []];
  await until(
    async () => {
      inMesh = ids(await allNodes(client));
      inFleet = ids(fleets.flatMap(({ nodes }) => nodes));
      return inMesh.join() === inFleet.join();
    },
    () => `${inMesh?.length} nodes are in the mesh, not ${inFleet?.length}`,
  );
}
