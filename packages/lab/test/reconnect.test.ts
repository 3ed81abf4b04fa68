/** A whole mesh comes back to its coordinator: agents spread out by themselves, and when they do not, all are served. */
import assert from 'node:assert/strict';
import { after, before, describe, it, test } from 'node:test';
import { createClient } from '@meshwork/client';
import type { Posture } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { type Fleet, startFleet } from '../src/index.ts';
import { agreement } from './agreement.ts';
import { FirstAttempts } from './first-attempts.ts';
import { KillableMesh } from './killable-mesh.ts';
import { LossyProxy } from './lossy-proxy.ts';
import { until } from './until.ts';

const NODES = 300;
const TEAMS = 6;
/** After a failure, an agent pauses for up to a third of it. */
const INTERVAL_S = 12;
/** No more than this share of all come back within any such time. At random it is a fifth; all at once, it is all. */
const MOST = 1 / 2;
const WITHIN_MS = 300;

/** What an agent sees of a coordinator that is not there, or about to go. */
const EXPECTED_ERRORS = new Set(['broken', 'refused', 'shutting_down']);

describe(`${NODES} agents`, () => {
  const attempts = new FirstAttempts();
  let mesh: KillableMesh;
  let proxy: LossyProxy;
  let fleet: Fleet;
  before(async () => {
    mesh = await KillableMesh.start({ nodes: { heartbeat_interval_s: INTERVAL_S, drift_after_s: 3600 } });
    proxy = await LossyProxy.start(mesh.url, attempts);
    const tags = (index: number) => [`team:t${index % TEAMS}`];
    fleet = await startFleet({ urls: [proxy.url], token: mesh.token, nodes: NODES, tags });
    await agreement(mesh.client, fleet);
  });
  after(async () => {
    await fleet?.close();
    await proxy?.[Symbol.asyncDispose]();
    await mesh?.[Symbol.asyncDispose]();
  });

  for (const [how, signal] of [
    ['stopped', 'SIGTERM'],
    ['killed', 'SIGKILL'],
  ] as const) {
    it(`do not all come back at once when their coordinator is ${how} and started again, and get all their peers`, async () => {
      attempts.forget();
      await mesh.restart(signal);
      await fleet.until(({ retrying }) => retrying === 0 && attempts.count === NODES);
      const most = attempts.mostWithin(WITHIN_MS);
      assert.ok(most <= NODES * MOST, `${most} of ${NODES} tried within ${WITHIN_MS} ms`);
      await agreement(mesh.client, fleet);
      assertPeers(fleet);
    });
  }

  it('all get all their peers when every connection breaks and all come back at one moment', async () => {
    await fleet.storm();
    await agreement(mesh.client, fleet);
    assertPeers(fleet);
  });

  it('all get all their peers when all of them start anew, hold nothing and have to prove themselves', async () => {
    await fleet.restart(fleet.nodes);
    await agreement(mesh.client, fleet);
    assertPeers(fleet);
    const { errors } = fleet.stats();
    assert.deepEqual(
      Object.keys(errors).filter((code) => !EXPECTED_ERRORS.has(code)),
      [],
    );
  });
});

test('a mesh in which nothing changed is in order after a restart, and no node is sent anything', async () => {
  const mesh = await TestCoordinator.start();
  try {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { heartbeat_interval_s: 2, drift_after_s: 3600 } } });
    await using proxy = await LossyProxy.start(mesh.url);
    await using fleet = await startFleet({ urls: [proxy.url], token: mesh.owner, nodes: 3 });
    await agreement(createClient({ url: mesh.url, token: mesh.owner }), fleet);
    const heardAll = async () => {
      const { revision } = (await mesh.ask<Posture>('GET', `/v1/nodes/${fleet.nodes[0]?.id}/posture`)).body;
      return fleet.stats().revision.lowest === revision; // asked anew each time: a late commit may still raise it
    };
    await until(heardAll, () => `not all were answered that there is nothing more: ${JSON.stringify(fleet.stats())}`);
    await mesh.down();
    const { deliveries } = fleet.stats();
    await mesh.up();
    proxy.target = mesh.url;
    await agreement(createClient({ url: mesh.url, token: mesh.owner }), fleet);
    assert.equal(fleet.stats().deliveries, deliveries);
  } finally {
    await mesh.close();
  }
});

function assertPeers(fleet: Fleet): void {
  assert.deepEqual(new Set(fleet.nodes.map(({ peers }) => peers)), new Set([NODES / TEAMS - 1]));
}
