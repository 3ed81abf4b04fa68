import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { AuditEntry, ChangedFirewallRule, FirewallRule, Problem } from '@meshwork/contract';
import { MAX_FIREWALL_RULES } from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { type Ask, PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List<T> {
  items: T[];
  next_cursor: string | null;
}

const RULES = '/v1/firewall/rules';
const SSH = {
  nodes: ['tag:role:git'],
  direction: 'in',
  interface: 'any',
  protocol: 'tcp',
  ports: ['22'],
  action: 'accept',
};

describe('host rules', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());
  beforeEach(async () => {
    for (const { id } of await all()) await mesh.ask('DELETE', `${RULES}/${id}`);
  });

  const create = (body: object, ask: Ask = {}) =>
    mesh.ask<ChangedFirewallRule & Problem>('POST', RULES, { body: { ...SSH, ...body }, ...ask });
  const made = async (body: object = {}): Promise<FirewallRule> => {
    const got = await create(body);
    assert.equal(got.status, 201, got.text);
    return got.body;
  };
  const patch = (id: string, body: object, headers = {}) =>
    mesh.ask<ChangedFirewallRule & Problem>('PATCH', `${RULES}/${id}`, { body, headers });
  const all = async (): Promise<FirewallRule[]> => {
    const items: FirewallRule[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await mesh.ask<List<FirewallRule>>('GET', `${RULES}?limit=200${query}`);
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  };
  const notes = async () => (await all()).map(({ note }) => note).join('');
  const named = async (...names: readonly string[]): Promise<Record<string, FirewallRule>> => {
    const rules: Record<string, FirewallRule> = {};
    for (const note of names) rules[note] = await made({ note });
    return rules;
  };
  const revision = async () =>
    Number(/mesh_coordinator_revision (\d+)/.exec((await mesh.ask('GET', '/metrics')).text)?.[1]);

  it('are made of what was said, and shown as they were made', async () => {
    const got = await create({ note: 'ten a minute', rate: { count: 10, per: 'minute' } });
    assert.equal(got.status, 201, got.text);
    assert.equal(got.headers.get('location'), `${RULES}/${got.body.id}`);
    assert.equal(got.headers.get('etag'), `"${got.body.revision}"`);
    const { id, created_at, created_by, revision: at, ...rest } = got.body;
    assert.match(id, /^firewall_/);
    assert.ok(Math.abs(Date.parse(created_at) - mesh.clock.now()) < 60_000 && at > 0);
    assert.deepEqual([created_by.kind, created_by.name], ['token', 'bootstrap']);
    assert.deepEqual(rest, {
      ...SSH,
      note: 'ten a minute',
      rate: { count: 10, per: 'minute' },
      enabled: true,
      position: 0,
      findings: [],
    });
    const shown = await mesh.ask<FirewallRule>('GET', `${RULES}/${id}`);
    const { findings: _, ...rule } = got.body;
    assert.deepEqual([shown.status, shown.body], [200, rule]);
    assert.equal(shown.headers.get('etag'), got.headers.get('etag'));
    assert.deepEqual([(await made({ enabled: false })).enabled, (await made()).note], [false, null]);
  });

  it('stand last, or before the rule that is named', async () => {
    const { b } = await named('a', 'b');
    assert.equal((await made({ note: 'c', before: null })).position, 2);
    const x = await made({ note: 'x', before: b?.id });
    assert.deepEqual([x.position, await notes()], [1, 'axbc']);
    assert.equal((await mesh.ask<FirewallRule>('GET', `${RULES}/${b?.id}`)).body.position, 2);
    assert.equal((await mesh.ask<FirewallRule>('GET', `${RULES}/${b?.id}`)).body.revision, b?.revision);
    const lost = await create({ before: 'firewall_01jcqv8h3kf1x9r7w5t2m6d0za' });
    assert.deepEqual([lost.status, lost.body.errors?.[0]?.pointer], [422, '/before']);
    assert.equal(await notes(), 'axbc');
  });

  it('are refused with every fault at its place', async () => {
    const got = await create({ nodes: ['*', 'group:ops'], interface: 'lo', from: ['10.0.0.1/8'], ports: ['22', '0'] });
    assert.deepEqual([got.status, got.body.code], [422, 'invalid']);
    assert.deepEqual(
      got.body.errors?.map(({ pointer }) => pointer),
      ['/nodes/1', '/interface', '/from/0', '/ports/1'],
    );
    assert.match(got.body.detail, /10\.0\.0\.0\/8/, 'it says what would be right');
    assert.deepEqual(await all(), []);
  });

  it('are changed by naming only what changes, and null takes away', async () => {
    const rule = await made({ note: 'n', from: ['10.0.0.0/8'], rate: { count: 9, per: 'hour', burst: 3 } });
    const got = await patch(rule.id, { from: null, note: null, rate: { count: 8, per: 'hour' }, enabled: false });
    const { revision: at, from: _, ...rest } = rule;
    const rate = { count: 8, per: 'hour' };
    assert.ok(got.body.revision > at);
    assert.deepEqual(got.body, { ...rest, note: null, rate, enabled: false, revision: got.body.revision });
    assert.equal(got.headers.get('etag'), `"${got.body.revision}"`);
    const { findings: _findings, ...changed } = got.body;
    assert.deepEqual((await mesh.ask('GET', `${RULES}/${rule.id}`)).body, changed);
    const bare = await patch(rule.id, { rate: null, ports: null });
    assert.ok(!('rate' in bare.body) && !('ports' in bare.body));
  });

  it('are checked as what a patch makes of them', async () => {
    const rule = await made({ rate: { count: 9, per: 'hour' } });
    const drop = await patch(rule.id, { action: 'drop' });
    assert.deepEqual([drop.status, drop.body.errors?.[0]?.pointer], [422, '/rate']);
    const icmp = await patch(rule.id, { protocol: 'icmp' });
    assert.deepEqual([icmp.status, icmp.body.errors?.[0]?.pointer], [422, '/ports']);
    assert.equal((await patch(rule.id, { action: 'drop', rate: null })).status, 200);
  });

  it('stay as they are when a patch changes nothing', async () => {
    const { a, b } = await named('a', 'b');
    const then = await revision();
    for (const body of [{}, { note: 'a', ports: ['22'] }, { rate: null }, { before: b?.id }, { force: true }]) {
      const got = await patch(a?.id ?? '', body);
      assert.deepEqual([got.status, got.body], [200, a], JSON.stringify(body));
    }
    assert.equal((await patch(b?.id ?? '', { before: null })).body.revision, b?.revision);
    assert.equal(await revision(), then, 'nothing was written');
  });

  it('are moved, and only the one that moves is of another revision', async () => {
    const { a, b, c, d } = await named('a', 'b', 'c', 'd');
    const moved = await patch(d?.id ?? '', { before: b?.id });
    assert.deepEqual([moved.body.position, await notes()], [1, 'adbc']);
    assert.equal((await patch(a?.id ?? '', { before: null })).body.position, 3);
    assert.equal((await patch(b?.id ?? '', { before: a?.id, note: 'B' })).body.position, 2);
    assert.equal(await notes(), 'dcBa');
    const [, second] = await all();
    assert.deepEqual([second?.id, second?.revision], [c?.id, c?.revision]);
    assert.ok(moved.body.revision > (d?.revision ?? 0));
    for (const [before, why] of [
      [c?.id, /before itself/],
      ['firewall_01jcqv8h3kf1x9r7w5t2m6d0za', /not a host rule/],
    ] as const) {
      const got = await patch(c?.id ?? '', { before });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/before']);
      assert.match(got.body.detail, why);
    }
    assert.equal(await notes(), 'dcBa');
  });

  it('are changed and deleted only as the caller knew them', async () => {
    const { a, b } = await named('a', 'b');
    const known = { 'if-match': `"${a?.revision}"` };
    await patch(b?.id ?? '', { note: 'other' });
    const got = await patch(a?.id ?? '', { note: 'mine' }, known);
    assert.equal(got.status, 200, 'that another rule changed is no matter');
    assert.equal((await patch(a?.id ?? '', { note: 'late' }, known)).body.code, 'revision_mismatch');
    assert.equal((await mesh.ask('DELETE', `${RULES}/${a?.id}`, { headers: known })).status, 412);
    const headers = { 'if-match': `"${got.body.revision}"` };
    assert.equal((await mesh.ask('DELETE', `${RULES}/${a?.id}`, { headers })).status, 204);
  });

  it('are gone once deleted', async () => {
    const { b } = await named('a', 'b', 'c');
    const gone = await mesh.ask('DELETE', `${RULES}/${b?.id}`);
    assert.deepEqual([gone.status, gone.text], [204, '']);
    assert.deepEqual([await notes(), (await all()).map(({ position }) => position)], ['ac', [0, 1]]);
    for (const method of ['GET', 'DELETE'])
      assert.equal((await mesh.ask(method, `${RULES}/${b?.id}`)).body.code, 'not_found');
    assert.equal((await patch(b?.id ?? '', {})).status, 404);
  });

  it('are listed in their order, page by page, whatever happens between two pages', async () => {
    const { a, b, d } = await named('a', 'b', 'c', 'd', 'e');
    const page = async (query: string) => {
      const { body } = await mesh.ask<List<FirewallRule>>('GET', `${RULES}?limit=2${query}`);
      return { notes: body.items.map(({ note }) => note).join(''), cursor: body.next_cursor, items: body.items };
    };
    const first = await page('');
    assert.equal(first.notes, 'ab');
    const second = await page(`&cursor=${first.cursor}`);
    assert.deepEqual([second.notes, second.items.map(({ position }) => position)], ['cd', [2, 3]]);
    assert.deepEqual((({ notes: n, cursor }) => [n, cursor])(await page(`&cursor=${second.cursor}`)), ['e', null]);
    assert.equal((await mesh.ask<List<FirewallRule>>('GET', `${RULES}?limit=5`)).body.next_cursor, null);
    await patch(d?.id ?? '', { before: a?.id });
    assert.equal((await page(`&cursor=${first.cursor}`)).notes, 'ce', 'it goes on behind the rule, wherever that is');
    await mesh.ask('DELETE', `${RULES}/${b?.id}`);
    assert.equal((await page(`&cursor=${first.cursor}`)).notes, 'ac', 'it is gone: it goes on in the place it had');
    const wrong = await mesh.ask('GET', `${RULES}?cursor=WyJub2Rlcy5saXN0IiwieCJd`);
    assert.deepEqual([wrong.status, wrong.body.errors?.[0]?.pointer], [422, 'query/cursor']);
    for (const text of ['x', 'x y', `${a?.id} -1`]) {
      const odd = Buffer.from(JSON.stringify(['firewall.list', text])).toString('base64url');
      assert.equal((await mesh.ask('GET', `${RULES}?cursor=${odd}`)).status, 422, text);
    }
  });

  it('come at once from many, and none is lost', async () => {
    const { z } = await named('z');
    const got = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create({ note: `${index} `, ...(index % 2 ? { before: z?.id } : {}) })),
    );
    assert.ok(got.every(({ status }) => status === 201));
    const rules = await all();
    assert.equal(new Set(rules.map(({ id }) => id)).size, 21);
    assert.deepEqual(
      rules.map(({ position }) => position),
      rules.map((_, index) => index),
    );
    const middle = rules.findIndex(({ id }) => id === z?.id);
    assert.equal(middle, 10, 'ten stand before it and ten behind');
    // Each half is in the order in which it was written.
    for (const half of [rules.slice(0, middle), rules.slice(middle + 1)]) {
      const revisions = half.map((rule) => rule.revision);
      assert.deepEqual(
        revisions,
        revisions.toSorted((x, y) => x - y),
      );
    }
    const ids = rules.map(({ id }) => id);
    const changes = await Promise.all(ids.map((id, index) => patch(id, { note: `n${index}` })));
    assert.ok(changes.every(({ status }) => status === 200));
    assert.deepEqual(
      (await all()).map(({ id, note }) => [id, note]),
      ids.map((id, index) => [id, `n${index}`]),
    );
  });

  it('are made once for each Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'rule-1' };
    const [first, second] = await Promise.all([create({}, { headers }), create({}, { headers })]);
    assert.deepEqual([first.status, second.text], [201, first.text]);
    assert.equal(second.headers.get('location'), first.headers.get('location'));
    assert.equal((await create({ note: 'other' }, { headers })).body.code, 'idempotency_key_reused');
    assert.equal((await all()).length, 1);
  });

  it('are in the trail and in an event, each change once', async () => {
    using reader = await EventReader.open(mesh.url, { token: mesh.owner });
    const { a, b } = await named('a', 'b');
    await patch(a?.id ?? '', { before: null });
    await patch(a?.id ?? '', { note: 'n' });
    await mesh.ask('DELETE', `${RULES}/${a?.id}`);
    const trail = await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${a?.id}`);
    assert.deepEqual(
      trail.body.items.map(({ action, detail, target }) => [action, detail, target?.kind]),
      [
        ['firewall.delete', null, 'firewall'],
        ['firewall.update', null, 'firewall'],
        ['firewall.update', 'moved from place 0 to 1', 'firewall'],
        ['firewall.create', null, 'firewall'],
      ],
    );
    const events = (await reader.events(5)).map(({ event, data }) => [event, JSON.parse(data ?? '').subject]);
    const about = (rule: FirewallRule | undefined) => ['firewall.changed', { kind: 'firewall', id: rule?.id }];
    assert.deepEqual(events, [about(a), about(b), about(a), about(a), about(a)]);
  });

  it('are for those who may write them, for the whole mesh', async () => {
    const { a } = await named('a');
    const writes = [
      ['POST', RULES, { body: SSH }],
      ['PATCH', `${RULES}/${a?.id}`, { body: { note: 'x' } }],
      ['DELETE', `${RULES}/${a?.id}`, {}],
    ] as const;
    for (const role of ['monitoring', 'pipeline', 'viewer']) {
      const { secret: token } = await mesh.token({ role });
      for (const [method, path, ask] of writes) {
        const got = await mesh.ask(method, path, { ...ask, token });
        assert.deepEqual([got.status, got.body.code], [403, 'permission_denied'], `${role} ${method}`);
      }
    }
    const { secret: token } = await mesh.token({ role: 'owner', scope: PLATFORM });
    for (const [method, path, ask] of [...writes, ['GET', RULES, {}] as const]) {
      const got = await mesh.ask(method, path, { ...ask, token });
      assert.deepEqual([got.status, got.body.code], [403, 'mesh_scope_required'], method);
    }
    const viewer = await mesh.token({ role: 'viewer' });
    assert.equal((await mesh.ask('GET', RULES, { token: viewer.secret })).status, 200);
    assert.equal(await notes(), 'a');
  });

  it('are no more than there may be', async () => {
    const bodies = Array.from({ length: MAX_FIREWALL_RULES }, () => create({}));
    assert.ok((await Promise.all(bodies)).every(({ status }) => status === 201));
    const got = await create({});
    assert.deepEqual([got.status, got.body.code], [409, 'too_many']);
    assert.match(got.body.detail, /500/);
    const [first] = await all();
    await mesh.ask('DELETE', `${RULES}/${first?.id}`);
    assert.equal((await create({})).status, 201);
  });
});
