/** Tokens bring nodes in, and no more than that: a node stays in the mesh whatever becomes of every token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { SESSION_S, type Token } from '@meshwork/contract';
import { TestCoordinator } from '@meshwork/coordinator/testing';
import { systemClock } from '@meshwork/time';
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
    const proven = new Set<string>();
    await using proxy = await LossyProxy.start(mesh.url, {
      answered: ({ path, body }, status) => {
        if (path === '/v1/auth/node-sessions' && status === 201) proven.add(subjectOf(JSON.parse(body).proof));
      },
    });
    const clock = { ...systemClock, now: () => mesh.clock.now() };
    await using fleet = await startFleet({ urls: [proxy.url], token: secret, nodes: NODES, clock });
    await fleet.until(({ active }) => active === NODES);
    const enrolled = fleet.nodes.map((node) => node.id).sort();

    /** Every agent is answered once more from now on, and after a jump of the clock with a new session. */
    const goOn = async (what: string, jump_s = 0) => {
      proven.clear();
      mesh.clock.advance(jump_s);
      const from = mesh.clock.now();
      await until(
        () => fleet.nodes.every((node) => node.answered_at_ms > from && (jump_s === 0 || proven.has(node.id))),
        () => `${what}; ${proven.size} of ${NODES} have proven themselves: ${JSON.stringify(fleet.stats())}`,
      );
    };
    assert.equal((await mesh.ask('DELETE', `/v1/auth/tokens/${id}`)).status, 200);
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami', { token: secret })).status, 401);
    await goOn('all go on after their token was revoked');
    await goOn('all go on after their session', SESSION_S + 1);
    await goOn('all go on after every token has expired', LATER_S);
    assert.equal((await mesh.ask('GET', '/v1/auth/whoami')).status, 401, 'the last token has expired');
    await goOn('all go on after one more session', SESSION_S + 1);

    // No token is left. An operator with access to the machine makes a new owner.
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

/** Who a JWT says that it is about. */
function subjectOf(jwt: string): string {
  return JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).sub;
}
