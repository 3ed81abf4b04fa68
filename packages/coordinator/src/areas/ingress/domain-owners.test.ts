import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Ingress, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';

describe('the owners of host names', () => {
  let mesh: TestCoordinator;
  let alpha: string;
  let beta: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    alpha = (await mesh.token({ role: 'pipeline', scope: { team: 'alpha' } })).secret;
    beta = (await mesh.token({ role: 'pipeline', scope: { team: 'beta' } })).secret;
    await write({ 'shop.example.com': ['scope:beta/*/*'], '*.alpha.example.com': ['scope:alpha/*/*'] });
  });
  after(() => mesh.close());

  const write = async (domain_owners: object) => {
    const got = await mesh.ask('PUT', '/v1/acls', { body: { domain_owners } });
    assert.equal(got.status, 200, got.text);
  };
  const create = (hostname: string, token: string) =>
    mesh.ask<Ingress & Problem>('POST', '/v1/ingress', {
      body: { name: 'web', hostname, service: 'web', gateways: ['tag:role:gateway'] },
      token,
    });
  const change = (id: string, body: object, token: string) =>
    mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${id}`, { body, token });

  it('alone make an ingress of them, beside the whole mesh', async () => {
    const refused = await create('shop.example.com', alpha);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [
        403,
        'not_owner',
        'The host name "shop.example.com" may be used by team beta (domain_owners) or by a mesh-wide token.',
      ],
    );
    assert.equal((await create('shop.example.com', beta)).status, 201);
    assert.equal((await create('www.alpha.example.com', beta)).body.code, 'not_owner');
    assert.equal((await create('www.alpha.example.com', alpha)).status, 201);
    const uncovered = await create('elsewhere.example.org', alpha);
    assert.equal(
      uncovered.body.detail,
      'No entry of domain_owners covers the host name "elsewhere.example.org": only a mesh-wide token may use it.',
    );
    assert.equal((await create('elsewhere.example.org', mesh.owner)).status, 201);
  });

  it('take host names in their one spelling only', async () => {
    for (const hostname of ['Shop.example.com', 'shop.example.com.', 'münchen.alpha.example.com']) {
      assert.equal((await create(hostname, alpha)).body.code, 'invalid', hostname);
    }
  });

  it('are asked when an ingress gets another host name, and not for any other change', async () => {
    const made = await create('api.alpha.example.com', alpha);
    assert.equal((await change(made.body.id, { hostname: 'api.beta.example.com' }, alpha)).body.code, 'not_owner');
    assert.equal((await change(made.body.id, { hostname: 'v2.alpha.example.com' }, alpha)).status, 200);
    await write({});
    const kept = await change(made.body.id, { replicas: 3, hostname: 'v2.alpha.example.com' }, alpha);
    assert.deepEqual([kept.status, kept.body.replicas], [200, 3]);
    assert.equal((await change(made.body.id, { hostname: 'v3.alpha.example.com' }, alpha)).body.code, 'not_owner');
  });
});
