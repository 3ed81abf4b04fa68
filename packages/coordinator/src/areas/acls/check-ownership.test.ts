import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OwnershipCheck, Policy, Preview, Validation } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const GROUPS = { dba: ['tag:role:dba'], databases: ['tag:role:db'], web: ['tag:role:web'] };
const GRANTS = [
  { from: 'dba', to: 'databases', allow: ['tcp:5432'] },
  { from: 'web', to: 'web', allow: ['tcp:80'], within: 'boundary' },
];
const OWNED = { 'tag:role:*': ['scope:beta/*/*'], 'node:vault': ['scope:beta/*/*'] };

describe('what a policy means for what is set already', () => {
  let mesh: TestCoordinator;
  const ids: string[] = [];
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    for (const [name, tags] of [
      ['vault', ['team:alpha', 'role:dba']],
      ['a-2', ['team:alpha', 'role:dba']],
      ['b-1', ['team:beta', 'role:dba', 'role:web']],
      ['c-1', ['role:dba']],
    ] as const) {
      ids.push((await TestNode.enroll(mesh, { name, tags })).id);
    }
    const scope = { team: 'alpha', surface: '*', environment: '*' };
    const body = { name: 'shop', hostname: 'shop.example.com', service: 'web', gateways: ['node:a-2'], scope };
    assert.equal((await mesh.ask('POST', '/v1/ingress', { body })).status, 201);
  });
  after(() => mesh.close());

  const check = async () => (await mesh.ask<OwnershipCheck>('GET', '/v1/acls/check')).body.findings;
  const subject = (place: number, name: string) => ({ kind: 'node', id: ids[place], name });

  it('has warnings before the policy is written, and when it is', async () => {
    const body = { groups: GROUPS, grants: GRANTS };
    const warning = {
      pointer: '',
      tag: 'role:dba',
      detail: '3 nodes carry the tag role:dba, which this policy uses beyond their own boundary.',
      count: 3,
      nodes: [subject(1, 'a-2'), subject(2, 'b-1'), subject(0, 'vault')],
    };
    const valid = await mesh.ask<Validation>('POST', '/v1/acls/validate', { body });
    assert.deepEqual([valid.body.valid, valid.body.warnings], [true, [warning]]);
    assert.deepEqual((await mesh.ask<Preview>('POST', '/v1/acls/preview', { body })).body.warnings, [warning]);
    assert.deepEqual((await mesh.ask<Policy>('PUT', '/v1/acls', { body })).body.warnings, [warning]);
    assert.equal('warnings' in (await mesh.ask<Policy>('GET', '/v1/acls')).body, false);
    const again = await mesh.ask<Policy>('PUT', '/v1/acls', { body });
    assert.equal('warnings' in again.body, false);
  });

  it('names the owners that others than they carry the tag of', async () => {
    await mesh.ask('PUT', '/v1/acls', { body: {} });
    const body = { tag_owners: { 'tag:role:dba': ['scope:beta/*/*'] } };
    const { warnings } = (await mesh.ask<Preview>('POST', '/v1/acls/preview', { body })).body;
    assert.deepEqual(
      warnings?.map(({ pointer, detail }) => [pointer, detail]),
      [['/tag_owners/tag:role:dba', '2 nodes outside team beta carry the tag role:dba.']],
    );
  });

  it('is kept with the versions of the policy, and comes back with them', async () => {
    const body = { groups: GROUPS, grants: GRANTS, tag_owners: OWNED, domain_owners: { '*.example.com': [] } };
    const written = await mesh.ask<Policy>('PUT', '/v1/acls', { body });
    assert.deepEqual(written.body.document.tag_owners, OWNED);
    await mesh.ask('PUT', '/v1/acls', { body: {} });
    const path = `/v1/acls/versions/${written.body.version}`;
    assert.deepEqual((await mesh.ask<Policy>('GET', path)).body.document.tag_owners, OWNED);
    const restored = await mesh.ask<Policy>('POST', `${path}/restore`);
    assert.deepEqual(restored.body.document.domain_owners, { '*.example.com': [] });
  });

  it('is listed for each boundary with the remedy', async () => {
    const alpha = { team: 'alpha', surface: '*', environment: '*' };
    const [ingress] = (await mesh.ask<{ items: { id: string }[] }>('GET', '/v1/ingress')).body.items;
    assert.deepEqual(await check(), [
      {
        kind: 'domain',
        value: 'shop.example.com',
        boundary: alpha,
        count: 1,
        subjects: [{ kind: 'ingress', id: ingress?.id, name: 'shop' }],
        detail: 'The host name "shop.example.com" may be used by a mesh-wide token only (domain_owners).',
        remedy: 'Add "scope:alpha/*/*" to "*.example.com" in domain_owners, or give the ingress another host name.',
      },
      {
        kind: 'name',
        value: 'vault',
        boundary: alpha,
        count: 1,
        subjects: [subject(0, 'vault')],
        detail: 'The name "vault" may be taken by team beta (tag_owners) or by a mesh-wide token.',
        remedy: 'Add "scope:alpha/*/*" to "node:vault" in tag_owners, or enrol the node anew under another name.',
      },
      {
        kind: 'tag',
        value: 'role:dba',
        boundary: alpha,
        count: 2,
        subjects: [subject(1, 'a-2'), subject(0, 'vault')],
        detail: 'The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.',
        remedy: 'Add "scope:alpha/*/*" to "tag:role:*" in tag_owners, or take the tag off.',
      },
    ]);
  });

  it('is mended by the remedy', async () => {
    const remedied = (list: string[]) => [...list, 'scope:alpha/*/*'];
    const tag_owners = Object.fromEntries(Object.entries(OWNED).map(([key, list]) => [key, remedied(list)]));
    const body = { groups: GROUPS, grants: GRANTS, tag_owners, domain_owners: { '*.example.com': remedied([]) } };
    await mesh.ask('PUT', '/v1/acls', { body });
    assert.deepEqual(await check(), []);
    await mesh.ask('PUT', '/v1/acls', { body: { groups: GROUPS, grants: GRANTS } });
    const [domain, tag] = await check();
    assert.equal(
      domain?.remedy,
      'Add "shop.example.com": ["scope:alpha/*/*"] to domain_owners, or give the ingress another host name.',
    );
    assert.equal(tag?.remedy, 'Add "tag:role:dba": ["scope:alpha/*/*"] to tag_owners, or take the tag off.');
  });

  it('is listed for a DNS record whose boundary does not own its name', async () => {
    const scope = { team: 'alpha', surface: '*', environment: '*' };
    const body = { name: '*.shop', addresses: ['10.0.0.1'], scope };
    const { id } = (await mesh.ask<{ id: string }>('POST', '/v1/dns/records', { body })).body;
    const found = (await check()).find(({ value }) => value === '*.shop.mesh');
    assert.deepEqual(found?.subjects, [{ kind: 'dns', id, name: '*.shop.mesh' }]);
    assert.equal(found?.remedy, 'Add "*.shop.mesh": ["scope:alpha/*/*"] to domain_owners, or delete the record.');
  });
});
