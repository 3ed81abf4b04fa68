import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from '@meshwork/client';
import { json, loopbackServer } from '@meshwork/client/testing';
import { scriptedCoordinator } from '../../test/scripted-coordinator.ts';
import { enroll } from './enroll.ts';
import { newNodeKeys } from './keys.ts';

test('enrolling again after a lost answer gives the same node, and no private half is sent', async () => {
  await using coordinator = await scriptedCoordinator();
  const keys = newNodeKeys();
  const client = createClient({ url: coordinator.url, token: 'mesh_x' });
  const request = { name: 'git-1', keys, tags: ['role:git'], idempotency_key: 'saved-with-the-keys' };
  const first = await enroll(client, request);
  assert.deepEqual(await enroll(client, request), first);
  assert.notEqual((await enroll(client, { name: 'git-2', keys: newNodeKeys() })).node, first.node);
  assert.equal(first.interval_s, 15);
  const sent = JSON.stringify([...coordinator.enrolments.values()]);
  assert.ok(sent.includes(keys.identity.public) && sent.includes(keys.wireguard.public));
  assert.ok(!sent.includes(keys.identity.private) && !sent.includes(keys.wireguard.private));
});

test('an invalid answer is refused before anything of it is saved', async () => {
  await using server = await loopbackServer((_, response) => json(response, { id: 'node_1', name: 'git-1' }, 201));
  const client = createClient({ url: server.url, token: 'mesh_x' });
  await assert.rejects(enroll(client, { name: 'git-1', keys: newNodeKeys() }), {
    code: 'unexpected_answer',
    message: /answered an enrolment with something that makes no sense/,
  });
});
