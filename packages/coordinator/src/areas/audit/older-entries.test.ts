/** Entries are kept for ever, also those of versions that did not name the token beside who did it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type AuditEntry, type ChainReport, newId, WHOLE_MESH, type Whoami } from '@meshwork/contract';
import { chainHash } from '@meshwork/contract/chain';
import { openStore } from '@meshwork/store';
import { TestCoordinator } from '../../../test/harness.ts';
import { AUDIT_LOG } from '../../mesh/audit-entry.ts';

describe('audit entries of older versions', () => {
  let mesh: TestCoordinator;
  let token = '';
  before(async () => {
    mesh = await TestCoordinator.start();
    token = (await mesh.ask<Whoami>('GET', '/v1/auth/whoami')).body.actor.id ?? '';
    await mesh.down();
    const journal = await openStore(`sqlite:${join(mesh.folder, 'mesh.db')}`);
    const revision = await journal.load(() => undefined);
    const at_ms = mesh.clock.now();
    const body = {
      id: newId('audit', at_ms),
      at: new Date(at_ms).toISOString(),
      action: 'tokens.revoke',
      outcome: 'done',
      code: null,
      count: 1,
      actor: { kind: 'token', id: token, name: 'old' },
      target: null,
      scope: WHOLE_MESH,
      request_id: null,
      address: null,
      detail: null,
      changes: [],
    };
    const labels = { actor: token, action: body.action, target: null };
    const entry = { log: AUDIT_LOG, id: body.id, at_ms, ...labels, body: JSON.stringify(body), chained: true };
    await journal.commit(revision, () => [{ revision: revision + 1, changes: [], appends: [entry] }]);
    await journal.close();
    await mesh.up();
  });
  after(() => mesh.close());

  it('name no token, are found by it all the same, and the chain holds', async () => {
    await mesh.token();
    const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?token=${token}&action=tokens.revoke`);
    assert.deepEqual(
      body.items.map((one) => [one.actor.id, one.token]),
      [[token, null]],
    );
    const verified = await mesh.ask<ChainReport>('POST', '/v1/audit/verify', { body: {} });
    assert.deepEqual([verified.body.intact, verified.body.faults], [true, []]);
  });

  it('are exported so that the chain can be recomputed from the export', async () => {
    const { text } = await mesh.ask('GET', '/v1/audit', { headers: { accept: 'application/x-ndjson' } });
    let previous = '0'.repeat(64);
    for (const line of text.trimEnd().split('\n')) {
      const { seq, revision, hash, ...body } = JSON.parse(line) as AuditEntry;
      const { token: _, ...older } = body;
      const hashed = Object.keys(body).at(-1) === 'token' ? older : body;
      previous = chainHash({ previous, seq, revision, body: JSON.stringify(hashed) });
      assert.equal(previous, hash, `entry ${seq}`);
    }
  });
});
