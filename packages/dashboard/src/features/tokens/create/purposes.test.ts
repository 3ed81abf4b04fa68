import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BUILT_IN_ROLES, covers, WHOLE_MESH } from '@meshwork/contract';
import { lackingFor, PURPOSES, scopeFor } from './purposes.ts';

describe('what a token is for', () => {
  it('is offered only to those who have what it needs', () => {
    for (const purpose of PURPOSES) {
      assert.deepEqual(lackingFor(purpose, BUILT_IN_ROLES.owner.permissions), [], purpose.id);
    }
    const offered = PURPOSES.filter((one) => lackingFor(one, BUILT_IN_ROLES.viewer.permissions).length === 0);
    assert.deepEqual(
      offered.map(({ id }) => id),
      ['reading', 'automation'],
    );
  });

  it('proposes a boundary inside the person’s own', () => {
    const platform = { team: 'platform', surface: 'git', environment: '*' };
    for (const purpose of PURPOSES) {
      assert.ok(covers(platform, scopeFor(purpose, platform)), purpose.id);
      assert.ok(covers(WHOLE_MESH, scopeFor(purpose, WHOLE_MESH)), purpose.id);
    }
    const [deploys] = PURPOSES;
    assert.deepEqual(deploys && scopeFor(deploys, platform), { ...platform, environment: 'production' });
  });
});
