import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry } from '@meshwork/contract';
import { PLATFORM, TestClock, TestCoordinator } from '../../test/harness.ts';
import { meshOnDisk } from '../../test/mesh-on-disk.ts';
import { ANONYMOUS } from '../mesh/actor.ts';
import { AUDIT_LOG } from '../mesh/audit-entry.ts';
import { Refusals } from './refusals.ts';

const WINDOW_MS = 10_000;

describe('refusals', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  /** What was counted is written at the end of its window, or of the coordinator. */
  const trail = async (query: string) => {
    await mesh.down();
    await mesh.up();
    return (await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?outcome=refused&limit=200&${query}`)).body.items;
  };

  it('of one caller are few entries, whatever it names, and hide nobody else’s', async () => {
    const noisy = await mesh.token({ role: 'viewer', scope: PLATFORM });
    const quiet = await mesh.token({ role: 'viewer', scope: PLATFORM });
    const ask = (token: string, id: string) => mesh.ask('DELETE', `/v1/auth/tokens/${id}`, { token });
    const startedAt = performance.now();
    for (let count = 0; count < 300; count++) await ask(noisy.secret, `x${count}`);
    // Each time that the coordinator writes down what it counted, another window begins, with at most two entries.
    const windows = 1 + Math.ceil((performance.now() - startedAt) / WINDOW_MS);
    await ask(quiet.secret, 'x');
    const entries = await trail(`actor=${noisy.id}`);
    assert.equal(
      entries.reduce((sum, { count }) => sum + count, 0),
      300,
    );
    assert.ok(entries.length <= 2 * windows, `${entries.length} entries in ${windows} windows`);
    assert.equal((await trail(`actor=${quiet.id}`)).length, 1);
  });

  it('of one kind are one entry at once, and one for all its repeats when their time is over', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await meshOnDisk(new TestClock());
    const { journal } = opened.mesh;
    const refusals = new Refusals(opened.mesh, (error) => assert.fail(String(error)));
    const cause = { actor: ANONYMOUS, action: 'self.whoami' };
    const refuse = () => refusals.record({ cause, code: 'credentials_missing', target: null, detail: 'no' });
    const counts = async () => {
      const entries = await journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 10 });
      return entries.map(({ body }) => (JSON.parse(body) as AuditEntry).count);
    };
    for (let count = 0; count < 300; count++) await refuse();
    assert.deepEqual(await counts(), [1]);
    t.mock.timers.tick(WINDOW_MS);
    await refuse(); // of the next window, and written after those that were counted
    assert.deepEqual(await counts(), [1, 299, 1]);
    await refuse();
    await refusals.close();
    assert.deepEqual(await counts(), [1, 299, 1, 1]);
  });

  it('never repeat what stood in a path unless it is an id', async () => {
    const { secret, id } = await mesh.token();
    const viewer = await mesh.token({ role: 'viewer' });
    await mesh.ask('DELETE', `/v1/auth/tokens/${secret}`, { token: viewer.secret });
    await mesh.ask('GET', `/v1/auth/tokens/${id}`, { token: viewer.secret });
    const entries = await trail(`actor=${viewer.id}`);
    assert.deepEqual(entries.map(({ target }) => target?.id).sort(), ['?', id]);
  });

  it('do not tell a narrow caller, by what it may read, that something lies outside its scope', async () => {
    const outside = await mesh.token({ scope: { ...PLATFORM, team: 'other' } });
    const nosy = await mesh.token({ role: 'operator', scope: PLATFORM });
    await mesh.ask('GET', `/v1/auth/tokens/${outside.id}`, { token: nosy.secret });
    assert.deepEqual(
      (await trail(`actor=${nosy.id}`)).map(({ code }) => code),
      ['outside_scope'],
    );
    const own = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?outcome=refused', { token: nosy.secret });
    assert.ok(!own.text.includes('outside_scope') && !own.text.includes(outside.id));
  });

  it('of strangers from everywhere are counted together beyond a number', async () => {
    const port = Number(new URL(mesh.url).port);
    const addresses = Array.from(
      { length: 400 },
      (_, index) => `127.0.${1 + Math.floor(index / 200)}.${1 + (index % 200)}`,
    );
    await Promise.all(addresses.map((address) => knock(port, address)));
    await mesh.down();
    await mesh.up();
    const { text } = await mesh.ask('GET', '/v1/audit?action=self.whoami', {
      headers: { accept: 'application/x-ndjson' },
    });
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    const told = entries.filter(({ actor, address }) => actor.kind === 'anonymous' && address !== null);
    const together = entries.filter(({ actor, address }) => actor.kind === 'anonymous' && address === null);
    assert.equal(told.length, 200);
    assert.ok(together.length <= 2);
    assert.equal(
      together.reduce((sum, { count }) => sum + count, 0),
      200,
    );
  });
});

/** One request without credentials from an address of this machine's own loopback network. */
function knock(port: number, localAddress: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path: '/v1/auth/whoami', localAddress, agent: false },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve());
      },
    );
    asked.on('error', reject);
    asked.end();
  });
}
