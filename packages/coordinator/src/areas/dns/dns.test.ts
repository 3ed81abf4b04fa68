import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type AuditEntry, type DnsRecord, type EventRecord, MAX_DNS_RECORDS, type Problem } from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, newKeys, publicHalves, TestNode } from '../../../test/test-node.ts';

const SHOP = { ...PLATFORM, team: 'shop' };
const PLATFORM_TAGS = ['team:platform', 'surface:git', 'env:production'];

describe('DNS records', () => {
  let mesh: TestCoordinator;
  /** Sees one boundary, may do everything there, and owns `*.platform.mesh`. */
  let insider: string;
  let outsider: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    const domain_owners = { '*.platform.mesh': ['scope:platform/*/*'], 'shared.mesh': ['scope:shop/*/*'] };
    const grants = [{ from: 'everyone', to: 'everyone', allow: ['*'] }];
    const body = { groups: { everyone: ['*'] }, grants, domain_owners };
    assert.equal((await mesh.ask('PUT', '/v1/acls', { body })).status, 200);
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    insider = (await mesh.token({ role: 'owner', scope: PLATFORM })).secret;
    outsider = (await mesh.token({ role: 'owner', scope: SHOP })).secret;
  });
  after(() => mesh.close());

  type Answer = DnsRecord & Problem;
  const create = (body: object, token: string = mesh.owner) =>
    mesh.ask<Answer>('POST', '/v1/dns/records', { body, token });
  const refusal = (got: { status: number; body: Problem }) => [got.status, got.body.code];
  const enrolled = async (name: string, tags: readonly string[] = PLATFORM_TAGS, more: object = {}) => {
    const node = await TestNode.enroll(mesh, { name, tags, ...more });
    await node.beat({ complete: true, report: { abilities: EVERYTHING } });
    return node;
  };

  it('are made, read by id and by name, changed under If-Match and deleted, with audit and events', async () => {
    using reader = await EventReader.open(mesh.url, { token: mesh.owner });
    const made = await create({ name: 'git', addresses: ['100.64.0.7', 'fd64::7'], note: 'the forge' });
    assert.equal(made.status, 201);
    const { id, revision } = made.body;
    assert.equal(made.headers.get('location'), `/v1/dns/records/${id}`);
    assert.deepEqual(
      [made.body.fqdn, made.body.addresses, made.body.cname, made.body.scope],
      ['git.mesh', ['100.64.0.7', 'fd64::7'], null, ALL],
    );
    for (const ref of [id, 'git', 'git.mesh']) {
      assert.equal((await mesh.ask<DnsRecord>('GET', `/v1/dns/records/${ref}`)).body.id, id);
    }
    const alias = await mesh.ask<DnsRecord>('PATCH', '/v1/dns/records/git', {
      body: { cname: 'web-1.mesh' },
      headers: { 'if-match': `"${revision}"` },
    });
    assert.deepEqual([alias.status, alias.body.addresses, alias.body.cname], [200, [], 'web-1.mesh']);
    const late = await mesh.ask<Problem>('PATCH', '/v1/dns/records/git', {
      body: { note: null },
      headers: { 'if-match': `"${revision}"` },
    });
    assert.deepEqual(refusal(late), [412, 'revision_mismatch']);
    const back = await mesh.ask<DnsRecord>('PATCH', '/v1/dns/records/git', { body: { addresses: ['10.0.0.1'] } });
    assert.deepEqual([back.body.addresses, back.body.cname], [['10.0.0.1'], null]);
    assert.equal((await mesh.ask('DELETE', `/v1/dns/records/${id}`)).status, 204);
    assert.equal((await mesh.ask('GET', '/v1/dns/records/git')).status, 404);

    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?target=${id}`);
    assert.deepEqual(
      trail.body.items.map(({ action }) => action),
      ['dns.delete', 'dns.update', 'dns.update', 'dns.create'],
    );
    const events = (await reader.events(4)).map(({ event, data = '' }) => [
      event,
      (JSON.parse(data) as EventRecord).data,
    ]);
    assert.deepEqual(
      events,
      ['created', 'changed', 'changed', 'deleted'].map((what) => [`dns.${what}`, { name: 'git.mesh' }]),
    );
  });

  for (const [what, body, pointer] of [
    ['neither addresses nor an alias', {}, '/addresses'],
    ['both', { addresses: ['10.0.0.1'], cname: 'web-1.mesh' }, '/cname'],
    ['an alias of itself', { cname: 'odd.mesh' }, '/cname'],
    ['an alias outside the mesh', { cname: 'www.example.org' }, '/cname'],
    ['loopback', { addresses: ['127.0.0.1'] }, '/addresses/0'],
    ['the metadata of clouds', { addresses: ['10.0.0.1', '169.254.169.254'] }, '/addresses/1'],
    ['another spelling', { addresses: ['fd64:0::7'] }, '/addresses/0'],
    ['a name of a service', { name: 'git.svc', addresses: ['10.0.0.1'] }, '/name'],
    ['the domain of the mesh', { name: 'git.mesh', addresses: ['10.0.0.1'] }, '/name'],
    ['every service at once', { name: '*.svc', addresses: ['10.0.0.1'] }, '/name'],
    ['a name of SRV', { name: '_git._tcp', addresses: ['10.0.0.1'] }, '/name'],
    ['letters that look like others', { name: 'g\u0456t', addresses: ['10.0.0.1'] }, '/name'],
    ['IPv4 written as IPv6', { addresses: ['::ffff:127.0.0.1'] }, '/addresses/0'],
    ['capitals', { name: 'Git', addresses: ['10.0.0.1'] }, '/name'],
    ['a wildcard for everything', { name: '*', addresses: ['10.0.0.1'] }, '/name'],
    ['a wildcard in the middle', { name: 'a.*.b', addresses: ['10.0.0.1'] }, '/name'],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      const got = await create({ name: 'odd', ...body });
      assert.deepEqual([...refusal(got), got.body.errors?.[0]?.pointer], [422, 'invalid', pointer]);
    });
  }

  it('have owners: the policy says who may use a name, and only a mesh-wide token the rest', async () => {
    const own = await create({ name: '*.platform', addresses: ['10.0.0.1'] }, insider);
    assert.deepEqual([own.status, own.body.scope], [201, PLATFORM]);
    assert.deepEqual(refusal(await create({ name: 'a.platform', addresses: ['10.0.0.1'] }, outsider)), [
      403,
      'not_owner',
    ]);
    assert.deepEqual(refusal(await create({ name: 'unowned', addresses: ['10.0.0.1'] }, insider)), [403, 'not_owner']);
    assert.deepEqual(refusal(await create({ name: 'b.platform', addresses: ['10.0.0.1'], scope: ALL }, insider)), [
      403,
      'exceeds_own_rights',
    ]);
    // A record that it sees, with a name that it does not own.
    await create({ name: 'lent', addresses: ['10.0.0.1'], scope: PLATFORM });
    const change = (body: object) => mesh.ask<Answer>('PATCH', '/v1/dns/records/lent', { body, token: insider });
    assert.deepEqual(refusal(await change({ addresses: ['10.0.0.2'] })), [403, 'not_owner']);
    assert.equal((await change({ note: 'ours' })).body.note, 'ours');
  });

  it('are not there for who cannot see their scope', async () => {
    const { status, body: made } = await create({ name: 'c.platform', addresses: ['10.0.0.1'] }, insider);
    assert.equal(status, 201);
    for (const [method, body] of [['GET'], ['PATCH', { note: 'x' }], ['DELETE']] as const) {
      for (const ref of [made.id, 'c.platform']) {
        const got = await mesh.ask<Problem>(method, `/v1/dns/records/${ref}`, {
          token: outsider,
          ...(body === undefined ? {} : { body }),
        });
        assert.equal(got.status, 404, `${method} ${ref}`);
      }
    }
    const list = await mesh.ask<{ items: DnsRecord[] }>('GET', '/v1/dns/records', { token: outsider });
    assert.deepEqual(list.body.items, []);
  });

  it('share one set of names with nodes: the second to ask is refused and learns what has the name', async () => {
    const node = await enrolled('taken');
    const record = await create({ name: 'taken', addresses: ['10.0.0.1'] });
    assert.deepEqual(refusal(record), [409, 'already_exists']);
    assert.match(record.body.detail, /already is a node with the name "taken"/);
    assert.equal((await mesh.ask('DELETE', `/v1/nodes/${node.id}`)).status, 202);
    assert.equal((await create({ name: 'taken', addresses: ['10.0.0.1'] })).status, 201);

    const enrol = () => mesh.ask<Problem>('POST', '/v1/nodes', { body: { name: 'taken', ...publicHalves(newKeys()) } });
    const refused = await enrol();
    assert.deepEqual(refusal(refused), [409, 'already_exists']);
    assert.match(refused.body.detail, /already is a DNS record with the name "taken"/);
    const twice = await create({ name: 'taken', addresses: ['10.0.0.2'] });
    assert.deepEqual(refusal(twice), [409, 'already_exists']);
    await mesh.ask('DELETE', '/v1/dns/records/taken');
    assert.equal((await enrol()).status, 201);
  });

  it('of one name, made at the same time, are one', async () => {
    const all = await Promise.all(
      ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((one) => create({ name: 'race', addresses: [one] })),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409]);
  });

  it('reach the nodes within their scope and no others, and go when they are deleted', async () => {
    const inside = await enrolled('inside');
    const outside = await enrolled('outside', ['team:shop', 'surface:git', 'env:production']);
    const old = await TestNode.enroll(mesh, { name: 'old', tags: PLATFORM_TAGS }); // an agent of an older version
    await create({ name: 'scoped', cname: 'inside.mesh', scope: PLATFORM });
    await create({ name: 'shared', addresses: ['10.0.0.9'] });
    for (const node of [inside, outside, old]) await node.beat();
    const names = (node: TestNode) => node.held.dns?.records.map(({ name }) => name) ?? [];
    assert.deepEqual(
      inside.held.dns?.records.find(({ name }) => name === 'scoped'),
      {
        name: 'scoped',
        cname: 'inside.mesh',
      },
    );
    assert.ok(names(inside).includes('shared') && names(outside).includes('shared'));
    assert.ok(!names(outside).includes('scoped'));
    assert.equal(old.held.dns, undefined);

    const beat = await outside.beat({ applied: outside.applied() });
    assert.equal(beat.body.dns, undefined, 'nothing new is not sent again');
    await mesh.ask('DELETE', '/v1/dns/records/scoped');
    assert.equal((await outside.beat()).body.dns, undefined, 'what it never saw is no news to it');
    await inside.beat();
    assert.ok(!names(inside).includes('scoped'));
  });

  it('come with the routing domains of the settings', async () => {
    const node = await enrolled('split');
    const set = (routing_domains: readonly string[], more: object = {}) =>
      mesh.ask<Problem>('PATCH', '/v1/settings', { body: { dns: { routing_domains, ...more } } });
    for (const entry of [
      'corp.example.org=127.0.0.1',
      'corp.example.org=169.254.169.254',
      'corp.example.org=resolver',
      'corp.example.org=fd64:0::7',
      'git.mesh=10.0.0.53',
      'mesh=10.0.0.53',
      'printer.local=10.0.0.53',
      '-corp=10.0.0.53',
      '10.0.0.1=10.0.0.53',
    ]) {
      assert.equal((await set([entry])).status, 422, entry);
    }
    const many = [1, 2, 3, 4, 5].map((last) => `corp.example.org=10.0.0.${last}`);
    assert.equal((await set(many)).body.errors?.[0]?.pointer, '/dns/routing_domains/4');
    assert.equal((await set(['lab.example.org=127.0.0.1'], { allow_special_addresses: true })).status, 200);
    await set(['corp.example.org=10.0.0.53', 'example.net=10.0.0.1', 'corp.example.org=10.0.0.54'], {
      allow_special_addresses: false,
    });
    await node.beat();
    assert.deepEqual(node.held.dns?.routing_domains, [
      { domain: 'corp.example.org', resolvers: ['10.0.0.53', '10.0.0.54'] },
      { domain: 'example.net', resolvers: ['10.0.0.1'] },
    ]);
    await set([]);
    await node.beat();
    assert.deepEqual(node.held.dns?.routing_domains, []);
  });

  it('have the services of nodes beside them, apart from those that fail', async () => {
    const service = (name: string, port: number) => ({ name, protocol: 'tcp', port });
    const services = [service('git', 22), { ...service('web', 80), health: 'failing' }];
    const offering = await enrolled('offering', PLATFORM_TAGS, { services });
    const other = await enrolled('other');
    assert.deepEqual(other.peers.get(offering.id)?.services, [service('git', 22)]);
    assert.equal(offering.peers.get(other.id)?.services, undefined);
    assert.deepEqual((offering.held.self as { services?: unknown }).services, [service('git', 22)]);
    assert.equal((await mesh.ask('DELETE', `/v1/nodes/${offering.id}`)).status, 202);
    await other.beat();
    assert.equal(other.peers.get(offering.id), undefined, 'its names are gone with the next heartbeat');
  });

  it(`are ${MAX_DNS_RECORDS} at most`, async () => {
    const { items } = (await mesh.ask<{ items: DnsRecord[] }>('GET', '/v1/dns/records?limit=200')).body;
    const rest = Array.from({ length: MAX_DNS_RECORDS - items.length }, (_, index) => `many-${index}`);
    for (let at = 0; at < rest.length; at += 50) {
      const part = rest.slice(at, at + 50).map((name) => create({ name, addresses: ['10.0.0.1'] }));
      for (const { status } of await Promise.all(part)) assert.equal(status, 201);
    }
    assert.deepEqual(refusal(await create({ name: 'one-more', addresses: ['10.0.0.1'] })), [409, 'too_many']);
  });
});
