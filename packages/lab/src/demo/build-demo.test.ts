import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Client, createClient } from '@meshwork/client';
import type { Node } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { systemClock } from '@meshwork/time';
import { until } from '../../test/until.ts';
import { Fleet } from '../fleet.ts';
import { buildDemo, INGRESSES, nodeNamed } from './build-demo.ts';
import { everyday } from './everyday.ts';
import { DEMO_CAST, FEWEST_DEMO_NODES, fleetOptionsOf, NETWORKS, RELAYS, rosterOf } from './roster.ts';

const NODES = FEWEST_DEMO_NODES + 5;

/** On a real coordinator. The steps build on each other; who is silent becomes stale meanwhile. */
describe('the mesh of the demo', () => {
  let coordinator: TestCoordinator;
  let client: Client;
  let fleet: Fleet;
  let fleetToken: { readonly id: string; readonly secret: string };
  const shown: number[] = [];

  before(async () => {
    coordinator = await TestCoordinator.start();
    const { url } = coordinator;
    client = createClient({ url, token: coordinator.owner });
    fleetToken = await coordinator.token({ role: 'owner' });
    fleet = new Fleet({ urls: [url], token: fleetToken.secret, ...fleetOptionsOf(rosterOf(NODES)) });
    await buildDemo({ client, fleet }, NODES, (done) => shown.push(done));
  });
  after(async () => {
    await fleet?.close();
    await coordinator?.close();
  });

  const all = () => Array.fromAsync(client.pages('nodes.list', { query: { limit: 200 } }));
  const named = async (name: string): Promise<Node> => {
    const node = (await all()).find((one) => one.name === name);
    assert.ok(node !== undefined, name);
    return node;
  };

  it('is complete, and was shown to grow', async () => {
    assert.equal((await all()).length, NODES);
    assert.equal(shown.at(-1), NODES);
    assert.deepEqual(
      shown,
      shown.toSorted((a, b) => a - b),
    );
  });

  it('has one node that waits for approval, and none after it does', async () => {
    assert.equal((await named(DEMO_CAST.pending)).state, 'pending');
    assert.equal((await client.call('settings.show')).body.nodes.require_approval, false);
  });

  it('has one that is cut off, which its peers prove', async () => {
    const { id, state } = await named(DEMO_CAST.quarantined);
    assert.equal(state, 'quarantined');
    const proven = async () => {
      const { body } = await client.call('operations.list', { query: { node: id } });
      return body.items.some(({ kind, state }) => kind === 'quarantine' && state === 'verified');
    };
    await until(proven, () => 'the quarantine is not verified');
  });

  it('has relays that share the nodes', async () => {
    const relays = async () => (await client.call('relays.list')).body.items;
    await until(
      async () => (await relays()).every(({ healthy, nodes }) => healthy && nodes > 3),
      () => 'not every relay has nodes',
    );
    assert.deepEqual((await relays()).map(({ name }) => name).sort(), Object.keys(RELAYS).sort());
    assert.deepEqual((await relays()).map(({ site }) => site).sort(), ['fra', 'nyc', 'sin']);
  });

  it('has laptops behind NATs, and servers without', async () => {
    const natOf = async (name: string) => (await named(name)).nat;
    await until(
      async () => (await natOf(DEMO_CAST.laptop)) === 'endpoint-independent',
      () => 'no NAT is reported',
    );
    await until(
      async () => (await natOf(DEMO_CAST.server)) === 'none',
      () => 'no NAT is reported',
    );
  });

  it('has networks that either of two nodes may forward to', async () => {
    const routed = async () => (await named(DEMO_CAST.laptop)).routes.includes('10.20.0.0/16 via gw-1');
    await until(routed, () => `${DEMO_CAST.laptop} has no route`);
    for (const [network, providers] of Object.entries(NETWORKS)) {
      for (const name of providers) assert.deepEqual((await named(name)).routes_approved, [network]);
    }
  });

  it('has services, and ingresses that gateways serve', async () => {
    assert.deepEqual((await named(DEMO_CAST.server)).services, ['git-ssh', 'git-http']);
    const served = async () => {
      const { items } = (await client.call('ingress.list')).body;
      return items.length === Object.keys(INGRESSES).length && items.every(({ served_by }) => served_by.length === 1);
    };
    await until(served, () => 'not every ingress is served');
    for (const { targets } of (await client.call('ingress.list')).body.items) {
      assert.ok(targets.length > 0 && targets.every(({ problem }) => problem === null), JSON.stringify(targets));
    }
  });

  it('has an owner for every tag, name and host name, and it is where they are', async () => {
    assert.deepEqual((await client.call('acls.check')).body.findings, []);
  });

  it('goes on by itself: connections come, laptops move, guests come and go', async () => {
    const endpoints = async () => (await all()).filter(({ tags }) => tags.includes('role:laptop')).map(endpointOf);
    const at = await endpoints();
    await using life = quickLife(fleet);
    const { troubles } = life;
    const guests = async () => (await all()).filter(({ name }) => name.startsWith('guest-')).map(({ name }) => name);
    await until(
      async () => (await guests()).some((name) => Number(name.slice('guest-'.length)) >= 3), // it does not stay for long
      () => 'no third guest came',
    );
    assert.ok((await guests()).length <= 2);
    assert.notDeepEqual((await endpoints()).slice(0, at.length), at);

    const { id } = nodeNamed(fleet, DEMO_CAST.gateway);
    const busy = async () => (await connectionsOn(id)) > 0;
    await until(busy, () => 'no connection came');
    const asked = await client.call('nodes.drain', { params: { id }, body: {} });
    const { state } = (await client.call('operations.show', { params: { id: asked.body.id }, query: { wait: 60 } }))
      .body;
    assert.equal(state, 'verified');
    assert.deepEqual((await named(DEMO_CAST.laptop)).routes, ['10.20.0.0/16 via gw-2']);
    assert.deepEqual(troubles, []);

    // A visitor of the demo may revoke the token that it runs on.
    await client.call('tokens.revoke', { params: { id: fleetToken.id } });
    await until(
      () => troubles.length > 1,
      () => 'no trouble was reported',
    );
  });

  it('has one that drifts and one that is stale, soon', async () => {
    const drifts = async () => (await named(DEMO_CAST.drifting)).drift_since !== null;
    await until(drifts, () => `${DEMO_CAST.drifting} does not drift`);
    const stale = async () => (await named(DEMO_CAST.silent)).state === 'stale';
    await until(stale, () => `${DEMO_CAST.silent} is not stale`);
    const others = (await all()).filter(({ name }) => name !== DEMO_CAST.silent && name !== DEMO_CAST.drifting);
    assert.deepEqual(
      others.filter(({ state, drift_since }) => state === 'stale' || drift_since !== null).map(({ name }) => name),
      [],
    );
    assert.equal(fleet.crash, undefined);
  });

  async function connectionsOn(gateway: string): Promise<number> {
    const { items } = (await client.call('ingress.list', { query: { gateway } })).body;
    return items[0]?.served_by.find(({ node }) => node === gateway)?.connections ?? 0;
  }
});

/** Every day of it is over in half an hour. */
function quickLife(fleet: Fleet) {
  const clock = { ...systemClock, sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(ms / 50, signal) };
  const stopping = new AbortController();
  const troubles: unknown[] = [];
  const trouble = (error: unknown) => troubles.push(error);
  const living = everyday(fleet, { clock, random: Math.random, signal: stopping.signal, trouble });
  return {
    troubles,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await living;
    },
  };
}

function endpointOf({ name, endpoints }: Node): string {
  return `${name} ${endpoints}`;
}
