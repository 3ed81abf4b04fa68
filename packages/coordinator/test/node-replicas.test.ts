/** Nodes that speak now to one coordinator, now to another of the same mesh. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ingress, LinkOverTime, Node, NodeOperation } from '@meshwork/contract';
import { type PostgresServer, startPostgresServer } from '@meshwork/store/testing';
import { TestCoordinator } from './harness.ts';
import { EVERYTHING, newKeys, publicHalves, TestNode } from './test-node.ts';

describe('a node and two coordinators on one store', () => {
  let server: PostgresServer;
  let first: TestCoordinator;
  let second: TestCoordinator;

  before(async () => {
    server = await startPostgresServer();
    const store = await server.newDatabase();
    first = await TestCoordinator.start({ MESH_STORE: store });
    second = await first.joined();
  });
  after(async () => {
    await second?.close();
    await first?.close();
    await server?.close();
  });

  let teams = 0;
  /** Two nodes of a team that both coordinators know of. */
  const pair = async () => {
    const tags = [`team:r${++teams}`];
    const [a, b] = [await TestNode.enroll(first, { tags }), await TestNode.enroll(first, { tags })];
    await second.until(async () => (await second.ask('GET', `/v1/nodes/${b.id}`)).status === 200);
    return [a, b] as const;
  };
  let changes = 0;
  const caughtUp = async () => {
    // Another value each time, or there would be nothing to catch up with.
    const body = { nodes: { drift_after_s: 60 + ++changes } };
    const { headers } = await first.ask('PATCH', '/v1/settings', { body });
    const etag = headers.get('etag');
    await second.until(async () => (await second.ask('GET', '/v1/settings')).headers.get('etag') === etag);
  };

  it('has one session at both, and goes on at one where it was at the other', async () => {
    const [a, b] = await pair();
    await a.settle();
    await b.settle();
    await caughtUp();
    a.mesh = second;
    assert.equal((await a.beat()).status, 200);
    await b.beat({ report: { endpoints: ['192.0.2.77:51820'] } });
    await caughtUp();
    await a.beat();
    assert.deepEqual(a.peers.get(b.id)?.endpoints, ['192.0.2.77:51820']);
  });

  it('that waits at one is sent what changed at the other', async () => {
    const [a, b] = await pair();
    await a.settle();
    await b.settle();
    a.mesh = second;
    await caughtUp();
    await a.settle();
    await a.beat();
    const waiting = a.beat({ wait: 15 });
    await b.beat({ report: { endpoints: ['192.0.2.78:51820'] } });
    assert.deepEqual((await waiting).body.peers?.upsert?.[0]?.endpoints, ['192.0.2.78:51820']);
  });

  it('is cut off at both when it is cut off at one, and proven so by peers that speak to either', async () => {
    const [a, b] = await pair();
    await b.settle();
    await a.settle();
    b.mesh = second;
    await caughtUp();
    await b.settle();
    const { body } = await first.ask<NodeOperation>('POST', `/v1/nodes/${a.id}/quarantine`, { body: {} });
    a.mesh = second;
    await second.until(async () => (await a.beat()).body.code === 'session_void');
    await second.until(async () => {
      await b.beat();
      return b.peers.size === 0;
    });
    await b.beat({ applied: b.applied() });
    const state = async (at: TestCoordinator) =>
      (await at.ask<NodeOperation>('GET', `/v1/operations/${body.id}`)).body.state;
    await first.until(async () => (await state(first)) === 'verified');
    await second.until(async () => (await state(second)) === 'verified');
  });

  it('cannot use a proof at both', async () => {
    const [a] = await pair();
    const proof = await a.proof();
    const used = await Promise.all(
      [first, second].map((mesh) => mesh.ask('POST', '/v1/auth/node-sessions', { body: { proof }, token: null })),
    );
    assert.deepEqual(used.map(({ status }) => status).sort(), [201, 401]);
  });

  it('has at both the time when it was last seen at either', async () => {
    const [a] = await pair();
    a.mesh = second;
    await a.settle();
    await first.until(async () => (await first.ask<Node>('GET', `/v1/nodes/${a.id}`)).body.heartbeat !== null);
  });

  it('has the history of its links from where it has been since, and from nowhere else', async () => {
    const [a, b] = await pair();
    const direct = (port: number) =>
      a.beat({
        complete: true,
        observed: { links: [{ peer: b.id, path: 'direct', endpoint: `192.0.2.1:${port}`, rx_bytes: 0, tx_bytes: 0 }] },
      });
    const ports = async (at: TestCoordinator) => {
      const { a_view } = (await at.ask<LinkOverTime>('GET', `/v1/peers/${a.id}/${b.id}`)).body;
      return a_view?.history.map(({ endpoint }) => endpoint?.split(':')[1]);
    };
    await direct(1000);
    await direct(1001);
    assert.deepEqual([await ports(first), await ports(second)], [['1001', '1000'], undefined]);
    a.mesh = second;
    for (const { clock } of [first, second]) clock.advance(2); // so that the times of the heartbeats differ
    await direct(1002);
    assert.deepEqual(await ports(second), ['1002']);
    const heartbeat = async (at: TestCoordinator) => (await at.ask<Node>('GET', `/v1/nodes/${a.id}`)).body.heartbeat;
    await first.until(async () => (await heartbeat(first)) === (await heartbeat(second)));
    a.mesh = first;
    await direct(1003);
    assert.deepEqual(await ports(first), ['1003']);
  });

  it('is led to a gateway that proves to either what it serves', async () => {
    const tags = ['team:named', 'surface:web', 'env:production'];
    await first.allowEverything();
    const gateway = await TestNode.enroll(first, { name: 'gw-named', tags });
    const laptop = await TestNode.enroll(first, { tags });
    const gateway_front = { http_port: 80, https_port: 443, proxy_protocol: false };
    await gateway.beat({ complete: true, report: { abilities: EVERYTHING, gateway_front } });
    await laptop.beat({ complete: true, report: { abilities: EVERYTHING } });
    const got = await first.ask<Ingress>('POST', '/v1/ingress', {
      body: {
        name: 'named',
        hostname: 'named.example.net',
        service: 'web',
        gateways: ['node:gw-named'],
        tls: { certificate: 'none' },
      },
    });
    assert.equal(got.status, 201, got.text);
    const { id } = got.body;
    const isPlaced = async () => (await second.ask<Ingress>('GET', `/v1/ingress/${id}`)).body.assigned_to?.length === 1;
    await second.until(isPlaced);
    for (const [heard, asked] of [
      [second, first],
      [first, second],
    ] as const) {
      const knows = async (count: number) => {
        await laptop.beat();
        return (laptop.held.dns?.ingresses ?? []).length === count;
      };
      [gateway.mesh, laptop.mesh] = [heard, asked];
      const later = () => {
        for (const { clock } of [first, second]) clock.advance(2); // so that the times of the heartbeats differ
      };
      later();
      await gateway.beat();
      await gateway.beat({ applied: gateway.applied(), observed: { ingress: [{ id, connections: 0 }] } });
      await asked.until(() => knows(1));
      later();
      await gateway.beat({ observed: { ingress: [] } });
      await asked.until(() => knows(0));
    }
  });

  it('is enrolled once when one name is requested at both', async () => {
    const enroll = (mesh: TestCoordinator) =>
      mesh.ask('POST', '/v1/nodes', { body: { name: 'contested', ...publicHalves(newKeys()) } });
    const got = await Promise.all([first, second, first, second].map(enroll));
    assert.deepEqual(got.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        [first, second][index % 2]?.ask<Node>('POST', '/v1/nodes', {
          body: { name: `many-${index}`, ...publicHalves(newKeys()) },
        }),
      ),
    );
    assert.equal(new Set(others.map((one) => one?.body.address)).size, 20);
  });
});
