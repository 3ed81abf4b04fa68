/** Two teams with the same network behind their gateways: packets of a team go through its own, and explain says so. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError, createClient } from '@meshwork/client';
import type { Explanation } from '@meshwork/contract';
import { Scene } from '../lab-scene.ts';
import { until } from '../until.ts';
import { setGrants } from './grants.ts';
import { untilReached } from './reach.ts';
import { untilInSync } from './standing.ts';

const CIDR = '10.50.0.0/24';
const HOST = '10.50.0.10';
const PORT = 80;
const GATEWAYS = ['alpha-gw', 'beta-gw'] as const;
type Gateway = (typeof GATEWAYS)[number];

describe('a network that two teams have behind them', () => {
  let scene: Scene;
  before(async () => {
    const beta = ['team:beta'];
    scene = await Scene.start({
      nodes: [
        { name: 'alpha-gw', tags: ['team:alpha'] },
        { name: 'beta-gw', tags: beta },
        { name: 'client', tags: beta },
        { name: 'deaf', tags: beta, accept_routes: 'none' },
      ],
      subnets: [{ cidr: CIDR, providers: GATEWAYS }],
      settings: { nodes: { heartbeat_interval_s: 2 } },
    });
    await setGrants(
      scene,
      ['client', 'deaf'].map((from) => ({ from, to: CIDR, allow: [`tcp:${PORT}`] })),
    );
    await scene.prober('host-1').listen(PORT);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  test('is not approved in the second by its own operator', async () => {
    await approve('alpha-gw', { approved: [], shared: [] });
    await approve('beta-gw', { approved: [CIDR], shared: [] });
    const scope = { team: 'alpha', surface: '*', environment: '*' };
    const expires = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    const { body } = await scene.client.call('tokens.create', {
      body: { name: 'operator of alpha', role: 'operator', scope, expires },
    });
    const operator = createClient({ url: scene.mesh.url, token: body.secret });
    const { id } = await scene.node('alpha-gw');
    await assert.rejects(
      operator.call('nodes.approve_routes', { params: { id }, body: { approved: [CIDR] } }),
      (error: unknown) =>
        error instanceof ApiError && error.code === 'mesh_scope_required' && !/beta/.test(error.detail),
    );
  });

  test('is reached by a team through its own gateway although the other one is for the whole mesh', async () => {
    await approve('alpha-gw', { approved: [CIDR], shared: [CIDR] });
    await untilReached(scene.prober('client'), { host: HOST, port: PORT });
    await untilInSync(scene, [...GATEWAYS, 'client']);
    const client = await scene.node('client');
    assert.deepEqual(client.routes, [`${CIDR} via beta-gw`]);
    assert.equal(await takenBy('client'), 'beta-gw');
    assert.equal((await explained('client')).to.name, 'beta-gw');
    for (const name of GATEWAYS) assert.deepEqual((await scene.node(name)).routes_overlapping, [CIDR], name);
  });

  test('is not reached by a host that takes no routes, which is in line all the same', async () => {
    await untilInSync(scene, ['deaf']);
    const { accept_routes, routes, drift_since } = await scene.node('deaf');
    assert.deepEqual({ accept_routes, routes, drift_since }, { accept_routes: 'none', routes: [], drift_since: null });
    const { outcome } = await scene.prober('deaf').connect(HOST, PORT, { timeout_ms: 800 });
    assert.notEqual(outcome, 'connected');
    const { verdict, reason } = await explained('deaf');
    assert.deepEqual([verdict, reason], ['denied', 'deaf does not accept routes.']);
  });

  test('is reached through the shared gateway once the own one has it no more', async () => {
    await approve('beta-gw', { approved: [] });
    await until(
      async () => (await scene.node('client')).routes.includes(`${CIDR} via alpha-gw`),
      () => 'the client is to go through alpha-gw',
    );
    await untilReached(scene.prober('client'), { host: HOST, port: PORT });
    await untilInSync(scene, [...GATEWAYS, 'client']);
    assert.equal(await takenBy('client'), 'alpha-gw');
    assert.equal((await explained('client')).to.name, 'alpha-gw');
  });

  async function approve(name: Gateway, body: { approved: string[]; shared?: string[] }): Promise<void> {
    const { id } = await scene.node(name);
    const ended = async (operation: string) =>
      (await scene.client.call('operations.show', { params: { id: operation }, query: { wait: 30 } })).body.state;
    // That of the lab itself may be under way.
    for await (const { id: open, state } of scene.client.pages('operations.list', { query: { node: id } })) {
      if (state === 'requested' || state === 'delivered') await ended(open);
    }
    const { body: operation } = await scene.client.call('nodes.approve_routes', { params: { id }, body });
    assert.equal(await ended(operation.id), 'verified');
  }

  /** Behind a gateway its peers have the address of the gateway, so the host knows who sends it a packet. */
  async function takenBy(name: string): Promise<string | undefined> {
    const flow = await scene.prober(name).flow(HOST, PORT);
    let seen = '';
    // The client is connected one packet before the host is.
    await until(
      async () => {
        seen = await scene.lab.place('host-1').exec('ss', ['-Htn', 'state', 'established', 'sport', '=', `:${PORT}`]);
        return seen.trim() !== '';
      },
      () => `the host has the connection of ${name}`,
    );
    await flow.end();
    const legs = await Promise.all(
      GATEWAYS.map(async (gateway) => {
        const shown = await scene.lab.node(gateway).exec('ip', ['-4', '-o', 'addr', 'show', 'dev', 'eth1']);
        return { gateway, address: /inet (\S+)\//.exec(shown)?.[1] ?? '' };
      }),
    );
    // The listener takes both families, and then writes `[::ffff:10.50.0.3]:40000`.
    const peers = [...seen.matchAll(/([\d.]+)\]?:\d+\s*$/gm)].map(([, address]) => address);
    const found = legs.filter(({ address }) => peers.includes(address)).map(({ gateway }) => gateway);
    assert.equal(found.length, 1, `one gateway, of ${JSON.stringify(legs)} in:\n${seen}`);
    return found[0];
  }

  async function explained(from: string): Promise<Explanation> {
    let answer: Explanation | undefined;
    await until(
      async () => {
        const query = { from, to: HOST, port: `tcp:${PORT}` };
        answer = (await scene.client.call('acls.explain', { query })).body;
        return answer.verdict !== 'unknown';
      },
      () => `an answer is certain: ${JSON.stringify(answer)}`,
    );
    return answer ?? assert.fail();
  }
});
