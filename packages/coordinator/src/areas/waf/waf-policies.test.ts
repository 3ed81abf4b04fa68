import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AuditEntry,
  DEFAULT_WAF_RULES,
  type Ingress,
  MAX_WAF_EXCLUSIONS,
  type Problem,
  type WafPolicy,
} from '@meshwork/contract';
import { ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import type { List } from '../../../test/waf-scene.ts';

type Answer = WafPolicy & Problem;

describe('WAF policies', () => {
  let mesh: TestCoordinator;
  /** May do everything in one boundary. */
  let insider: string;
  /** The same, in another one. */
  let outsider: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PUT', '/v1/acls', { body: { domain_owners: { '*': ['scope:*/*/*'] } } });
    insider = (await mesh.token({ role: 'owner', scope: PLATFORM })).secret;
    outsider = (await mesh.token({ role: 'owner', scope: { ...PLATFORM, team: 'shop' } })).secret;
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object = {}, token = insider) =>
    mesh.ask<Answer>('POST', '/v1/waf/policies', { body: { name: `p-${made++}`, ...more }, token });
  const patch = (id: string, body: object, more: object = {}) =>
    mesh.ask<Answer>('PATCH', `/v1/waf/policies/${id}`, { body, token: insider, ...more });
  const ingress = (more: object, token = insider) =>
    mesh.ask<Ingress & Problem>('POST', '/v1/ingress', {
      token,
      body: { name: 'git', hostname: `h-${made++}.example.net`, service: 'git', gateways: ['node:none'], ...more },
    });

  it('are made in the scope of the caller, with what it leaves unsaid as by default', async () => {
    const got = await create({ name: 'public', rules: [], paranoia: { detect: 2 } });
    assert.equal(got.status, 201);
    const { id, created_at, created_by, revision, ...rest } = got.body;
    assert.match(id, /^waf_/);
    assert.equal(got.headers.get('location'), `/v1/waf/policies/${id}`);
    assert.equal(got.headers.get('etag'), `"${revision}"`);
    assert.equal(created_by.kind, 'token');
    assert.ok(Math.abs(Date.parse(created_at) - mesh.clock.now()) < 60_000);
    assert.deepEqual(rest, {
      name: 'public',
      note: null,
      scope: PLATFORM,
      ...DEFAULT_WAF_RULES,
      paranoia: { block: 1, detect: 2 },
      exclusions: [],
      used_by: [],
      gateways: [],
    });
    const wide = await create({ scope: ALL });
    assert.deepEqual([wide.status, wide.body.code], [403, 'exceeds_own_rights']);
    assert.deepEqual((await create({ scope: PLATFORM }, mesh.owner)).body.scope, PLATFORM);
  });

  it('name every fault at once', async () => {
    const got = await create({ paranoia: { block: 3 }, clients: { denied: ['10.0.0.1/8'] } });
    assert.equal(got.status, 422);
    assert.deepEqual(
      got.body.errors?.map(({ pointer }) => pointer),
      ['/paranoia/detect', '/clients/denied/0'],
    );
  });

  it('change by merge patch, at the revision that was read, and are in the trail', async () => {
    const { id, revision } = (await create()).body;
    const late = await patch(id, { mode: 'block' }, { headers: { 'if-match': `"${revision - 1}"` } });
    assert.equal(late.status, 412);
    const got = await patch(
      id,
      { mode: 'block', thresholds: { inbound: 7 } },
      { headers: { 'if-match': `"${revision}"` } },
    );
    assert.deepEqual([got.body.mode, got.body.thresholds], ['block', { inbound: 7, outbound: 4 }]);
    assert.ok(got.body.revision > revision);
    const same = await patch(id, { mode: 'block' });
    assert.equal(same.body.revision, got.body.revision, 'nothing changed');
    const trail = await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${id}`);
    assert.deepEqual(
      trail.body.items.map(({ action }) => action),
      ['waf.update', 'waf.create'],
    );
  });

  it('are found by a name that only one has, and are not there for another boundary', async () => {
    const { id } = (await create({ name: 'named' })).body;
    const show = (which: string, token = insider) => mesh.ask<Answer>('GET', `/v1/waf/policies/${which}`, { token });
    assert.equal((await show('named')).body.id, id);
    await create({ name: 'named' }, outsider);
    assert.equal((await show('named')).body.id, id, 'that of another boundary has no say');
    assert.match((await show('named', mesh.owner)).body.detail, /2 WAF policies are named "named"/);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { mode: 'off' }],
      ['DELETE', '', undefined],
    ] as const) {
      const got = await mesh.ask(method, `/v1/waf/policies/${id}${path}`, { token: outsider, ...(body && { body }) });
      assert.deepEqual([got.status, got.body.code], [404, 'not_found'], method);
    }
    const list = await mesh.ask('GET', '/v1/waf/policies?limit=200', { token: outsider });
    assert.ok(!list.text.includes(id));
  });

  it('of a wider scope are read and used, and not changed', async () => {
    const { id } = (await create({ scope: ALL }, mesh.owner)).body;
    assert.equal((await mesh.ask('GET', `/v1/waf/policies/${id}`, { token: insider })).status, 200);
    const got = await patch(id, { mode: 'off' });
    assert.deepEqual([got.status, got.body.code], [403, 'exceeds_own_rights']);
    assert.equal((await ingress({ waf: id })).body.waf, id);
  });

  it('are given to ingresses by id or name, if they cover them, for requests alone', async () => {
    const { id, name } = (await create()).body;
    const got = await ingress({
      waf: name,
      routes: [
        { path: '/a', service: 'git', waf: null },
        { path: '/b', service: 'git' },
      ],
    });
    assert.deepEqual([got.status, got.body.waf, got.body.routes.map(({ waf }) => waf)], [201, id, [null, undefined]]);
    const { used_by } = (await mesh.ask<Answer>('GET', `/v1/waf/policies/${id}`)).body;
    assert.deepEqual(
      used_by.map(({ path }) => path),
      ['/', '/b'],
    );
    const elsewhere = (await create({}, outsider)).body;
    for (const [body, pointer] of [
      [{ waf: 'no-such' }, '/waf'],
      [{ waf: elsewhere.id }, '/waf'],
      [{ routes: [{ path: '/a', service: 'git', waf: elsewhere.name }] }, '/routes/0/waf'],
      [{ waf: id, kind: 'tls' }, '/waf'],
      [{ waf: id, kind: 'tcp', port: 5432 }, '/waf'],
      [{ waf: id, upstream: { protocol: 'grpc', check: { kind: 'grpc' } } }, '/waf'],
      [{ waf: id, routes: [{ path: '/a', service: 'git', upstream: { protocol: 'grpc' } }] }, '/routes/0'],
    ] as const) {
      const refused = await ingress(body);
      assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, pointer], JSON.stringify(body));
    }
    const narrow = await ingress({ waf: id, scope: ALL }, mesh.owner);
    assert.equal(narrow.body.errors?.[0]?.pointer, '/waf', 'its guards could change less than what it guards');
  });

  it('stay with an ingress whose other fields change, and go when they are taken', async () => {
    const { id } = (await create()).body;
    const made = (await ingress({ waf: id })).body;
    const change = (body: object) => mesh.ask<Ingress>('PATCH', `/v1/ingress/${made.id}`, { body, token: insider });
    assert.equal((await change({ replicas: 2 })).body.waf, id);
    assert.equal((await change({ waf: null })).body.waf, null);
  });

  it('cannot be deleted while a route names one, of which no more is said than the caller may see', async () => {
    const wide = (await create({ scope: { ...PLATFORM, surface: '*' } }, mesh.owner)).body;
    const git = (await ingress({ name: 'git-front', routes: [{ path: '/x', service: 'git', waf: wide.id }] })).body;
    const remove = (token: string) => mesh.ask('DELETE', `/v1/waf/policies/${wide.id}`, { token });
    const got = await remove(mesh.owner);
    assert.deepEqual([got.status, got.body.code], [409, 'waf_in_use']);
    assert.match(got.body.detail, /"git-front".*"\/x"/);
    assert.equal((await remove(insider)).status, 403);
    await mesh.ask('PATCH', `/v1/ingress/${git.id}`, { body: { routes: [] } });
    assert.equal((await remove(mesh.owner)).status, 204);
  });

  it('are never gone under an ingress that is given one at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = (await create()).body;
      const { id: of } = (await ingress({})).body;
      const [given, deleted] = await Promise.all([
        mesh.ask<Ingress>('PATCH', `/v1/ingress/${of}`, { body: { waf: id }, token: insider }),
        mesh.ask('DELETE', `/v1/waf/policies/${id}`, { token: insider }),
      ]);
      assert.deepEqual([given.status, deleted.status].toSorted(), given.status === 200 ? [200, 409] : [204, 422]);
    }
  });

  const exclusion = {
    rule: 942100,
    tag: null,
    host: 'git.example.net',
    path: '/search',
    below: false,
    parameter: { part: 'argument', name: 'q' },
  };

  it('have exclusions that are drafts, then in force, then gone', async () => {
    const { id } = (await create()).body;
    const path = `/v1/waf/policies/${id}/exclusions`;
    const add = (body: object) => mesh.ask<Answer>('POST', path, { body, token: insider });
    const added = await add(exclusion);
    const [one] = added.body.exclusions;
    assert.deepEqual([added.status, one?.draft, one?.event, one?.created_by.kind], [201, true, null, 'token']);
    const twin = await add({ ...exclusion, draft: false });
    assert.deepEqual([twin.status, twin.body.code], [409, 'already_exists']);
    const enforced = await mesh.ask<Answer>('POST', `${path}/${one?.id}/enforce`, { token: insider });
    assert.equal(enforced.body.exclusions[0]?.draft, false);
    const stale = { headers: { 'if-match': `"${added.body.revision}"` }, token: insider };
    assert.equal((await mesh.ask('DELETE', `${path}/${one?.id}`, stale)).status, 412);
    assert.equal((await mesh.ask('DELETE', `${path}/${one?.id}`, { token: insider })).status, 204);
    assert.equal((await mesh.ask('DELETE', `${path}/${one?.id}`, { token: insider })).status, 404);
    const wrong = await add({ ...exclusion, rule: 949110, path: '/a/../b' });
    assert.deepEqual(
      wrong.body.errors?.map(({ pointer }) => pointer),
      ['/rule', '/path'],
    );
    const trail = await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${id}`);
    assert.deepEqual(
      trail.body.items.map(({ action }) => action),
      ['waf.include', 'waf.enforce', 'waf.exclude', 'waf.create'],
    );
  });

  it('have so many exclusions at most', async () => {
    const { id } = (await create()).body;
    const add = (number: number) =>
      mesh.ask<Answer>('POST', `/v1/waf/policies/${id}/exclusions`, { body: { ...exclusion, path: `/${number}` } });
    for (let number = 0; number < MAX_WAF_EXCLUSIONS; number++) assert.equal((await add(number)).status, 201);
    const got = await add(MAX_WAF_EXCLUSIONS);
    assert.deepEqual([got.status, got.body.code], [409, 'too_many']);
  });
});
