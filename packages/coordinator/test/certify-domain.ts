import assert from 'node:assert/strict';
import type { AnswerOf, Operations } from '@meshwork/contract';
import type { TestCoordinator } from './harness.ts';

/** Has the mesh CA certify a domain, and any owner use its host names. A root cannot change, so that there is a new one. */
export async function certifyDomain(mesh: TestCoordinator, domain: string): Promise<void> {
  const set = await mesh.ask('PATCH', '/v1/settings', { body: { ca: { domains: [domain] } } });
  assert.equal(set.status, 200, set.text);
  const owned = await mesh.ask('PUT', '/v1/acls', { body: { domain_owners: { '*': ['scope:*/*/*'] } } });
  assert.equal(owned.status, 200, owned.text);
  const asked = await mesh.ask('POST', '/v1/ca/rotate', { body: { what: 'root' } });
  assert.equal(asked.status, 200, asked.text);
  await mesh.until(async () => {
    const { rotation } = (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;
    return rotation?.switched_at !== null;
  });
}
