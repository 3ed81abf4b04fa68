import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type AuditEntry, OPERATION_IDS } from '@meshwork/contract';
import { PLATFORM, TestClock, TestCoordinator } from '../../test/harness.ts';
import { meshOnDisk } from '../../test/mesh-on-disk.ts';
import { ANONYMOUS, COORDINATOR } from '../mesh/actor.ts';
import { AUDIT_LOG } from '../mesh/audit-entry.ts';
import { openRefusals } from './refusals.ts';

const WINDOW_MS = 60_000;

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

  it('of one caller are few entries, whatever it names, and do not hide those of other callers', async () => {
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

  it('of one kind are one entry at once, and one a window for as long as they go on', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await recording();
    const { clock, refuse, entries, refusals } = opened;
    const started_ms = clock.now();
    for (let count = 0; count < 300; count++) await refuse({});
    assert.deepEqual(await counts(entries), [1]);
    clock.advance(30);
    await refuse({});
    t.mock.timers.tick(WINDOW_MS);
    await refuse({});
    assert.deepEqual(await counts(entries), [1, 300], 'a kind that goes on gets no first entry again');
    const at = (ms: number) => new Date(started_ms + ms).toISOString();
    const [, repeats] = await entries();
    assert.deepEqual([repeats?.first_at, repeats?.last_at], [at(0), at(30_000)]);
    t.mock.timers.tick(WINDOW_MS); // writes the one above
    t.mock.timers.tick(WINDOW_MS); // nothing came
    await refuse({});
    assert.deepEqual(await counts(entries), [1, 300, 1, 1], 'one that had ended begins anew');
    await refuse({});
    await refuse({});
    await refusals.close();
    assert.deepEqual(await counts(entries), [1, 300, 1, 1, 2]);
    assert.equal(opened.folded, 300 + 1 + 2);
  });

  it('of an anonymous flood over all operations from one network are few entries, and all are counted', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await recording();
    const { refuse, entries, refusals } = opened;
    let asked = 0;
    for (let window = 0; window < 5; window++) {
      for (const action of OPERATION_IDS) {
        for (let host = 1; host <= 3; host++, asked++) await refuse({ action, address: `2001:db8:1:2::${host}` });
      }
      t.mock.timers.tick(WINDOW_MS);
    }
    await refusals.close();
    const found = await entries();
    assert.ok(found.length <= 8 + 5 * 9, `${found.length} entries`);
    assert.equal(sum(found), asked);
    const folded = found.filter(({ action }) => action === 'requests.refused');
    assert.ok(folded.length >= 5 && folded.every(({ address }) => address === '2001:db8:1:2::1'));
  });

  it('of anonymous callers everywhere are bounded as a whole, and all are counted', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await recording();
    const { refuse, entries, refusals } = opened;
    for (let source = 0; source < 3000; source++) {
      await refuse({ address: `10.${source >> 8}.${source & 255}.1`, action: OPERATION_IDS[source % 7] ?? '' });
    }
    await refusals.close();
    const found = await entries();
    assert.equal(found.length, 101);
    assert.equal(sum(found), 3000);
    assert.deepEqual([found.at(-1)?.address, found.at(-1)?.count], [null, 2900]);
  });

  it('that could not be written are written later, with nothing lost', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await recording();
    const { mesh, refuse, entries, refusals } = opened;
    const transact = mesh.transact.bind(mesh);
    mesh.transact = () => Promise.reject(new Error('the disk is full'));
    await refuse({});
    await refuse({});
    mesh.transact = transact;
    await refuse({});
    await refusals.close();
    assert.deepEqual(await counts(entries), [3]);
    assert.equal(opened.failures, 1);
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
    const { text } = await mesh.ask('GET', '/v1/audit?outcome=refused', {
      headers: { accept: 'application/x-ndjson' },
    });
    const entries = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    const separate = entries.filter(({ actor, address }) => actor.kind === 'anonymous' && address !== null);
    const together = entries.filter(({ actor, address }) => actor.kind === 'anonymous' && address === null);
    assert.ok(separate.length >= 90 && separate.length <= 100, `${separate.length} entries of their own`);
    assert.ok(together.length <= 2);
    assert.equal(sum(separate) + sum(together), 400);
    const { text: metrics } = await mesh.ask('GET', '/metrics');
    assert.match(metrics, /^mesh_coordinator_refusals_folded_total \d+$/m);
  });
});

function sum(entries: readonly AuditEntry[]): number {
  return entries.reduce((total, { count }) => total + count, 0);
}

async function counts(entries: () => Promise<readonly AuditEntry[]>): Promise<readonly number[]> {
  return (await entries()).map(({ count }) => count);
}

interface Given {
  readonly action?: string;
  readonly address?: string;
}

/** Refusals over a store of their own, by a clock that only the test moves. */
async function recording() {
  const clock = TestClock.still();
  const opened = await meshOnDisk(clock);
  const { mesh } = opened;
  const seen = { folded: 0, failures: 0 };
  const refusals = openRefusals({
    mesh,
    failed: () => seen.failures++,
    folded: () => seen.folded++,
  });
  const refuse = ({ action = 'self.whoami', address = '192.0.2.1' }: Given) => {
    const cause = { actor: ANONYMOUS, action, request: { id: 'req_1', address } };
    return refusals.record({ cause, code: 'credentials_missing', target: null, detail: 'no' });
  };
  const entries = async () => {
    await mesh.transact({ actor: COORDINATOR, action: 'test' }, () => undefined); // behind what is being written
    const found = await mesh.journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 1000 });
    return found.map(({ body }) => JSON.parse(body) as AuditEntry);
  };
  return {
    ...{ clock, mesh, refusals, refuse, entries },
    get folded() {
      return seen.folded;
    },
    get failures() {
      return seen.failures;
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

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
