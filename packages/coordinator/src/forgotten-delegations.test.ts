import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type AuditEntry, newId, type TokenId, utc, WHOLE_MESH } from '@meshwork/contract';
import { ADA, TestClock } from '../test/harness.ts';
import { type MeshOnDisk, meshOnDisk } from '../test/mesh-on-disk.ts';
import { reauthenticate } from './access/authenticate.ts';
import { newToken } from './access/new-token.ts';
import { listAudit } from './areas/audit/read-audit.ts';
import { forgetDelegations } from './areas/delegations/forget-delegations.ts';
import type { Call } from './areas/handler.ts';
import { COORDINATOR, refOf } from './mesh/actor.ts';
import type { Mesh } from './mesh/mesh.ts';

const DAY_S = 24 * 3600;

describe('tokens of people that are over', () => {
  let opened: MeshOnDisk;
  let mesh: Mesh;
  const clock = new TestClock();
  beforeEach(async () => {
    opened = await meshOnDisk(clock);
    ({ mesh } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  async function make(on_behalf_of: typeof ADA | null, revoked_at: string | null = null): Promise<TokenId> {
    const id = newId('token', clock.now());
    await mesh.transact({ actor: COORDINATOR, action: 'test.make' }, (tx) => {
      const given = { name: 'x', scope: WHOLE_MESH, role: 'owner', expires: utc(clock.now() + 900_000), on_behalf_of };
      const token = newToken({ ...given, created_by: refOf(COORDINATOR), secret_sha256: 'f'.repeat(64) }, tx.now_ms);
      tx.put('token', id, { ...token, revoked_at });
      tx.record({ target: null });
    });
    return id;
  }

  it('are forgotten a day after their end, and automation never', async () => {
    const [ada, automation] = [await make(ADA), await make(null)];
    const out = await make(ADA, utc(clock.now()));
    clock.advance(DAY_S + 60);
    await forgetDelegations(mesh);
    assert.deepEqual(
      [ada, automation, out].map((id) => mesh.model.get('token', id) !== undefined),
      [true, true, false],
    );
    clock.advance(900);
    await forgetDelegations(mesh);
    assert.deepEqual(
      [ada, automation].map((id) => mesh.model.get('token', id) !== undefined),
      [false, true],
    );
  });

  it('are still found in the trail by what was done with them', async () => {
    await make(null);
    clock.advance(3600);
    const ada = await make(ADA);
    const actor = reauthenticate(mesh.model, ada, clock.now());
    await mesh.transact({ actor, action: 'test.change' }, (tx) => tx.record({ target: null }));
    clock.advance(3 * DAY_S);
    await forgetDelegations(mesh);
    const call = { query: { token: ada }, wants: undefined, actor: { scope: WHOLE_MESH } };
    const reply = await listAudit(mesh, call as unknown as Call<'audit.list'>);
    const { items } = (reply as { body: { items: AuditEntry[] } }).body;
    assert.deepEqual(
      items.map(({ action, actor: who, token }) => [action, who.id, token]),
      [['test.change', ADA.id, ada]],
    );
  });
});
