import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DEFAULT_SETTINGS, WHOLE_MESH } from '@meshwork/contract';
import { TestClock } from '../../test/harness.ts';
import { type MeshOnDisk, meshOnDisk } from '../../test/mesh-on-disk.ts';
import { trimAudit } from '../areas/audit/trim-audit.ts';
import { verifyTrail } from '../areas/audit/verify-trail.ts';
import { trimEvents } from '../areas/events/trim-events.ts';
import { COORDINATOR } from '../mesh/actor.ts';
import { AUDIT_LOG } from '../mesh/audit-entry.ts';
import { EVENTS_LOG } from '../mesh/event-entry.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { SETTINGS_ID } from '../mesh/settings-of.ts';
import { forgetAnswers } from './journal-duties.ts';

const DAY_S = 24 * 3600;

describe('retention', () => {
  let opened: MeshOnDisk;
  let mesh: Mesh;
  const clock = new TestClock();
  const write = (retention_days: number | null) =>
    mesh.transact(
      { actor: COORDINATOR, action: 'test.settings' },
      (tx) => {
        tx.put('settings', SETTINGS_ID, { ...DEFAULT_SETTINGS, audit: { retention_days } });
        tx.record({ target: null });
      },
      { actor_id: 'token_1', key: `${retention_days}`, request: '', ensureMayHear: () => undefined },
    );

  beforeEach(async () => {
    opened = await meshOnDisk(clock);
    ({ mesh } = opened);
  });
  afterEach(() => opened[Symbol.asyncDispose]());

  it('keeps the trail for 400 days by default', async () => {
    const note = () => mesh.transact({ actor: COORDINATOR, action: 'test.note' }, (tx) => tx.record({ target: null }));
    await note();
    clock.advance(399 * DAY_S);
    await note();
    await trimAudit(mesh);
    assert.equal((await mesh.journal.ends(AUDIT_LOG)).base_seq, 0);
    clock.advance(2 * DAY_S);
    await trimAudit(mesh);
    assert.equal((await mesh.journal.ends(AUDIT_LOG)).base_seq, 1);
    assert.ok((await verifyTrail(mesh.journal, undefined)).intact);
  });

  it('keeps the whole trail when the settings say so', async () => {
    await write(null);
    clock.advance(1000 * DAY_S);
    await trimAudit(mesh);
    assert.equal((await mesh.journal.ends(AUDIT_LOG)).base_seq, 0);
  });

  it('removes entries past their retention, says so in the trail, and leaves an intact chain', async () => {
    await write(null);
    await write(10);
    clock.advance(11 * DAY_S);
    await write(9);
    await trimAudit(mesh);
    const left = await mesh.journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 10 });
    assert.deepEqual(
      left.map(({ seq, action }) => [seq, action]),
      [
        [3, 'test.settings'],
        [4, 'audit.trim'],
      ],
    );
    const report = await verifyTrail(mesh.journal, undefined);
    assert.deepEqual([report.intact, report.base.seq, report.head.seq], [true, 2, 4]);
  });

  it('says what it removes before it does, and only once when it was interrupted', async () => {
    await write(null);
    await write(10);
    clock.advance(11 * DAY_S);
    const { trim } = mesh.journal;
    mesh.journal.trim = () => Promise.reject(new Error('killed'));
    await assert.rejects(trimAudit(mesh), /killed/);
    await assert.rejects(trimAudit(mesh), /killed/);
    mesh.journal.trim = trim;
    const announced = await mesh.journal.range({ log: AUDIT_LOG, order: 'oldest_first', limit: 10, after_seq: 2 });
    const { head_seq } = await mesh.journal.ends(AUDIT_LOG);
    assert.deepEqual([announced.map(({ action }) => action), head_seq], [['audit.trim'], 3]);
    assert.ok((await verifyTrail(mesh.journal, undefined)).intact);
    await trimAudit(mesh);
    await trimAudit(mesh);
    const report = await verifyTrail(mesh.journal, undefined);
    assert.deepEqual([report.faults, report.base.seq, report.head.seq], [[], 2, 3]);
    assert.equal(announced[0]?.target, `2:${report.base.hash}`);
  });

  it('forgets answers to repeated requests after a day, and no earlier', async () => {
    await write(1);
    clock.advance(DAY_S - 60);
    await write(2);
    await forgetAnswers(mesh);
    assert.equal(mesh.model.count('answer'), 2);
    clock.advance(120);
    await forgetAnswers(mesh);
    assert.equal(mesh.model.count('answer'), 1);
  });

  it('removes events once they are past their retention', async () => {
    const tell = () =>
      mesh.transact({ actor: COORDINATOR, action: 'test.tell' }, (tx) =>
        tx.emit({ type: 'settings.changed', subject: { kind: 'settings', id: 'x' }, scope: WHOLE_MESH, data: {} }),
      );
    await tell();
    clock.advance(6 * DAY_S);
    await tell();
    await trimEvents(mesh);
    assert.equal((await mesh.journal.ends(EVENTS_LOG)).base_seq, 0);
    clock.advance(2 * DAY_S);
    await trimEvents(mesh);
    const { base_seq, head_seq } = await mesh.journal.ends(EVENTS_LOG);
    assert.deepEqual([base_seq, head_seq], [1, 2]);
  });
});
