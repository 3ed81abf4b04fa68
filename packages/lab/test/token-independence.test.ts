/** Tokens bring nodes in, and no more than that: a node stays in the mesh whatever becomes of every token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, systemClock } from '@meshwork/client';
import { SESSION_S, type Token } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { startFleet } from '../src/index.ts';
import { agreement, allNodes } from './agreement.ts';
import { LossyProxy } from './lossy-proxy.ts';
import { until } from './until.ts';

const NODES = 40;
/** Longer than any token may live. */
const LATER_S = 400 * 24 * 3600;

test('agents go on for longer than a session when every token was revoked or has expired', async () => {
  const mesh = await TestCoordinator.start();
  try {
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { heartbeat_interval_s: 1 } } });
    const { id, secret } = await mesh.token({ name: 'newcomers', role: 'enroller' });
    let sessions = 0;
    await using proxy = await LossyProxy.start(mesh.url, {
      answered: ({ path }, status) => {
        if (path === '/v1/auth/node-sessions' && status === 201) sessions += 1;
      },
    });
    const clock = { ...systemClock, now: () => mesh.clock.now() };
    await using fleet = await startFleet({ urls: [proxy.url], token: secret, nodes: NODES, clock });
    await fleet.until(({ active }) => active === NODES);
    const enrolled = fleet.nodes.map((node) => node.id).sort();

    /** Every agent is answered once more, from now on. */
    const allAnswered = async (what: string) => {
      const from = mesh.clock.now();
      await until(
        () => fleet.nodes.every((node) => node.answered_at_ms > from),
        () => `not all were answered ${what}`,
      );
    };
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${id}`)).status, 200);
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami', { token: secret })).status, 401);
    await allAnswered('after their token was revoked');

    const before = sessions;
    mesh.clock.advance(SESSION_S + 1);
    await allAnswered('after the session that they had ended');
    assert.ok(sessions >= before + NODES, 'each of them has proven itself anew');

    mesh.clock.advance(LATER_S);
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami')).status, 401, 'the last token has expired');
    await allAnswered('after every token had expired');
    mesh.clock.advance(SESSION_S + 1);
    await allAnswered('after one more session');

    // Nobody can look any more. Whoever has the machine makes a new owner.
    await mesh.down();
    await mesh.up({ recover: true });
    proxy.target = mesh.url;
    const client = createClient({ url: mesh.url, token: mesh.owner });
    await agreement(client, fleet);
    const records = await allNodes(client);
    assert.deepEqual(records.map((node) => node.id).sort(), enrolled);
    assert.deepEqual(
      new Set(records.map(({ state, created_by }) => `${state} ${created_by.id}`)),
      new Set([`active ${id}`]),
    );
    const { body } = await mesh.ask<{ items: Token[] }>('GET', '/v1/auth/tokens?state=active');
    assert.equal(body.items.length, 1, 'only that of the new owner');
  } finally {
    await mesh.close();
  }
});
