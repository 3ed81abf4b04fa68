import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, EnrolledNode, Node, Problem, Token } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, newKeys, publicHalves, TestNode } from '../../../test/test-node.ts';

describe('enrolling a node', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
  });
  after(() => mesh.close());

  const enroll = (given: Readonly<Record<string, unknown>> = {}, token?: string) =>
    mesh.ask<EnrolledNode & Problem>('POST', '/v1/nodes', {
      body: { name: 'git-1', ...publicHalves(newKeys()), ...given },
      ...(token === undefined ? {} : { token }),
    });
  const count = async () => (await mesh.ask<{ items: Node[] }>('GET', '/v1/nodes?limit=200')).body.items.length;

  it('gives back the record of the specification, field by field, once it sends heartbeats', async () => {
    const services = [{ name: 'git-ssh', protocol: 'tcp', port: 22 }];
    const policy = {
      groups: { developers: ['tag:role:dev'], 'git-servers': ['tag:role:git'] },
      grants: [
        { from: 'developers', to: 'git-servers', allow: ['tcp:22'] },
        { from: 'git-servers', to: '10.20.0.0/16', allow: ['tcp:5432'] },
      ],
      tag_owners: { 'tag:role:git': ['scope:platform/*/*'] },
    };
    assert.equal((await mesh.ask('PUT', '/v1/acls', { body: policy })).status, 200);
    const git = await TestNode.enroll(mesh, { name: 'git-0', tags: ['role:git', 'env:production'], services });
    const gateway = await TestNode.enroll(mesh, { name: 'gw-1', tags: ['env:production'], routes: ['10.20.0.0/16'] });
    await mesh.ask('POST', '/v1/relays', { body: { name: 'fra-1', node: 'gw-1', host: 'fra-1.example.net' } });
    await mesh.ask('PUT', `/v1/nodes/${gateway.id}/routes`, { body: { approved: ['10.20.0.0/16'] } });
    await gateway.settle({ report: { abilities: EVERYTHING } });
    await git.beat({
      complete: true,
      report: { abilities: EVERYTHING },
      observed: { relays: [{ name: 'fra-1', rtt_ms: 9 }], relay_proofs: [{ name: 'fra-1', carries: true }] },
    });
    await git.settle();
    await mesh.until(async () => (await mesh.ask<Node>('GET', `/v1/nodes/${git.id}`)).body.routes.length > 0);
    await mesh.until(async () => (await mesh.ask<Node>('GET', `/v1/nodes/${git.id}`)).body.relay !== null);
    const {
      id,
      name,
      address,
      tags,
      routes,
      relay,
      services: bound,
      heartbeat,
      acl_matches,
    } = (await mesh.ask<Node>('GET', `/v1/nodes/${git.id}`)).body;
    assert.match(id, /^node_[0-9a-z]{26}$/);
    assert.equal(name, 'git-0');
    assert.match(address, /^100\.64\.0\.\d+\/32$/);
    assert.deepEqual(tags, ['env:production', 'role:git']);
    assert.deepEqual(routes, ['10.20.0.0/16 via gw-1']);
    assert.equal(relay, 'fra-1');
    assert.deepEqual(bound, ['git-ssh']);
    assert.match(heartbeat ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    assert.deepEqual(acl_matches, ['developers -> git-servers', 'git-servers -> 10.20.0.0/16']);
  });

  it('is answered with the grants and routes of the next read', async () => {
    const got = await enroll({ name: 'git-match', tags: ['role:git', 'env:production'] });
    const { acl_matches, routes } = got.body;
    assert.deepEqual(acl_matches, ['developers -> git-servers', 'git-servers -> 10.20.0.0/16']);
    assert.deepEqual(routes, ['10.20.0.0/16 via gw-1']);
    const read = (await mesh.ask<Node>('GET', `/v1/nodes/${got.body.id}`)).body;
    assert.deepEqual({ acl_matches: read.acl_matches, routes: read.routes }, { acl_matches, routes });
  });

  it('stamps the boundary of the token on it, and lets nothing outside be claimed', async () => {
    const token = (await mesh.token({ role: 'enroller', scope: { ...PLATFORM, surface: '*' } })).secret;
    const got = await enroll({ tags: ['role:git', 'surface:git'] }, token);
    assert.equal(got.status, 201, got.text);
    assert.deepEqual(got.body.tags, ['env:production', 'role:git', 'surface:git', 'team:platform']);
    for (const tags of [['team:other'], ['env:staging'], ['team:platform', 'env:staging']]) {
      const refused = await enroll({ name: 'git-2', tags }, token);
      assert.deepEqual([refused.status, refused.body.code], [403, 'exceeds_own_rights'], tags.join());
    }
    const twice = await enroll({ name: 'git-2', tags: ['team:platform', 'team:other'] });
    assert.equal(twice.body.code, 'invalid');
  });

  it('is not for a pipeline, nor for monitoring', async () => {
    for (const role of ['pipeline', 'monitoring', 'viewer', 'auditor']) {
      const got = await enroll({}, (await mesh.token({ role })).secret);
      assert.deepEqual([got.status, got.body.code], [403, 'permission_denied'], role);
    }
  });

  it('of one name by many at once lets exactly one in', async () => {
    const before = await count();
    const got = await Promise.all(Array.from({ length: 20 }, () => enroll({ name: 'contested' })));
    assert.equal(got.filter(({ status }) => status === 201).length, 1);
    assert.equal(got.filter(({ body }) => body.code === 'already_exists').length, 19);
    assert.equal(await count(), before + 1);
  });

  it('with a key that another node has is refused, and takes nothing', async () => {
    const keys = publicHalves(newKeys());
    assert.equal((await enroll({ name: 'first', ...keys })).status, 201);
    const other = publicHalves(newKeys());
    const sameIdentity = await enroll({ name: 'second', ...other, identity_key: keys.identity_key });
    assert.equal(sameIdentity.body.code, 'already_exists');
    const sameWireguard = await enroll({ name: 'second', ...other, wireguard_key: keys.wireguard_key });
    assert.equal(sameWireguard.body.code, 'already_exists');
    assert.equal((await enroll({ name: 'second', ...other })).status, 201, 'the name was not taken by a refusal');
  });

  it('gives every node an address of its own, also when a hundred come at once', async () => {
    const got = await Promise.all(Array.from({ length: 100 }, (_, index) => enroll({ name: `many-${index}` })));
    assert.equal(new Set(got.map(({ body }) => body.address)).size, 100);
    assert.equal(new Set(got.map(({ body }) => body.address6)).size, 100);
    for (const { body } of got) assert.match(body.address6, /^fd[0-9a-f:]+\/128$/);
  });

  it('with a token of limited uses stops when they are used up, and counts only nodes that came in', async () => {
    const body = {
      name: 'three',
      scope: PLATFORM,
      role: 'enroller',
      uses: 3,
      expires: mesh.inDays(1),
    };
    const { body: token } = await mesh.ask<Token & { secret: string }>('POST', '/v1/auth/tokens', { body });
    assert.equal(token.uses_left, 3);
    assert.equal((await enroll({ name: 'git-1' }, token.secret)).body.code, 'already_exists');
    const got = await Promise.all(
      Array.from({ length: 8 }, (_, index) => enroll({ name: `u-${index}` }, token.secret)),
    );
    assert.equal(got.filter(({ status }) => status === 201).length, 3);
    assert.equal(got.filter((one) => one.body.code === 'token_used_up').length, 5);
    const left = await mesh.ask<Token>('GET', `/v1/auth/tokens/${token.id}`);
    assert.equal(left.body.uses_left, 0);
    const useless = await mesh.ask('POST', '/v1/auth/tokens', { body: { ...body, role: 'viewer' } });
    assert.equal(useless.body.errors?.[0]?.pointer, '/uses');
  });

  it('is safe to repeat with the same key after an answer was lost', async () => {
    const body = { name: 'repeated', ...publicHalves(newKeys()) };
    const headers = { 'idempotency-key': 'once' };
    const [first, second] = [
      await mesh.ask<EnrolledNode>('POST', '/v1/nodes', { body, headers }),
      await mesh.ask<EnrolledNode>('POST', '/v1/nodes', { body, headers }),
    ];
    assert.deepEqual([first.status, second.status], [201, 201]);
    assert.equal(first.body.id, second.body.id);
  });

  it('is attributed to the token that did it', async () => {
    const token = await mesh.token({ role: 'enroller', name: 'rack 7' });
    const got = await enroll({ name: 'rack-7' }, token.secret);
    const { items } = (await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${got.body.id}`)).body;
    assert.deepEqual([items[0]?.action, items[0]?.actor.id], ['nodes.enroll', token.id]);
    assert.equal(got.body.created_by.name, 'rack 7');
  });

  it('counts the tags that the scope of the token adds', async () => {
    const token = (await mesh.token({ role: 'enroller', scope: PLATFORM })).secret;
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    const refused = await enroll({ name: 'tagged', tags: tags(32) }, token);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.pointer], [422, '/tags']);
    const got = await enroll({ name: 'tagged', tags: tags(29) }, token);
    assert.equal(got.body.tags.length, 32);
  });

  it('takes from one number of uses, whether with a token or with the one it was rotated to', async () => {
    const made = await mesh.ask<Token & { secret: string }>('POST', '/v1/auth/tokens', {
      body: { name: 'two', scope: PLATFORM, role: 'enroller', uses: 2, expires: mesh.inDays(1) },
    });
    const path = `/v1/auth/tokens/${made.body.id}`;
    const next = await mesh.ask<Token & { secret: string }>('POST', `${path}/rotate`, { body: {} });
    assert.equal((await enroll({ name: 'use-1' }, made.body.secret)).status, 201);
    assert.equal((await mesh.ask<Token>('GET', path)).body.uses_left, 1);
    assert.equal((await enroll({ name: 'use-2' }, next.body.secret)).status, 201);
    for (const { body } of [made, next]) {
      assert.equal((await enroll({ name: 'use-3' }, body.secret)).body.code, 'token_used_up');
    }
  });

  it('offers no network that is the own of the mesh, of either family', async () => {
    const { address, address6 } = (await enroll({ name: 'any' })).body;
    for (const route of [address, address6, `${address6.split('::')[0]}::/48`, '100.64.0.0/16']) {
      const got = await enroll({ name: 'thief', routes: [route] });
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/routes/0'], route);
    }
  });
});

describe('a small pool of addresses', () => {
  it('is exhausted with a clear error that consumes nothing, and is filled again by a removal', async () => {
    const mesh = await TestCoordinator.start();
    try {
      await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { address_pool: '10.99.0.0/29' } } });
      const nodes = [];
      for (let index = 0; index < 6; index++) nodes.push(await TestNode.enroll(mesh, { name: `n-${index}` }));
      const token = await mesh.ask<Token & { secret: string }>('POST', '/v1/auth/tokens', {
        body: { name: 'one', scope: PLATFORM, role: 'enroller', uses: 1, expires: mesh.inDays(1) },
      });
      const body = { name: 'too-many', ...publicHalves(newKeys()) };
      const full = await mesh.ask('POST', '/v1/nodes', { body, token: token.body.secret });
      assert.deepEqual([full.status, full.body.code], [409, 'addresses_exhausted']);
      assert.match(full.body.detail, /6 addresses of 10\.99\.0\.0\/29/);
      await mesh.ask('DELETE', `/v1/nodes/${nodes[2]?.id}`);
      const again = await mesh.ask<EnrolledNode>('POST', '/v1/nodes', { body, token: token.body.secret });
      assert.equal(again.status, 201, again.text);
      assert.equal(again.body.address, nodes[2]?.enrolled.address);
    } finally {
      await mesh.close();
    }
  });
});
