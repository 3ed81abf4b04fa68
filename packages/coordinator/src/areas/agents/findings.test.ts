import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type HeartbeatRequest, type NodeId, newId, utc, WHOLE_MESH } from '@meshwork/contract';
import { TestClock } from '@meshwork/service/testing';
import { put, TestFleet } from '../../../test/test-fleet.ts';
import type { OperationDocument } from '../../kinds/operations.ts';
import { ListeningTime } from '../../node-status/listening-time.ts';
import { NodeStatuses } from '../../node-status/node-statuses.ts';
import { PolicyReach } from '../../views/policy-reach.ts';
import { type OpenAreas, openAreas } from '../open-areas.ts';
import { type Findings, findingsOf, lasts } from './findings.ts';
import { noteHeartbeat } from './note.ts';
import { noteDrift } from './watch-drift.ts';

const KEY = 'n1hgk0X5nCGAVVoDLYI3m2DlbkDlOFuBpl1nO0e3x1w=';
const WRONG = { revision: 1, digest: 'bad000000000' };

describe('what follows from a heartbeat', () => {
  let fleet: TestFleet;
  let time: ListeningTime;
  let statuses: NodeStatuses;
  let opened: OpenAreas;
  let node: NodeId;
  const clock = new TestClock();
  beforeEach(async () => {
    fleet = await TestFleet.open();
    time = new ListeningTime(clock);
    statuses = new NodeStatuses(fleet.mesh, time);
    opened = openAreas({
      model: fleet.mesh.model,
      vault: fleet.mesh,
      reach: new PolicyReach(),
      wake: () => undefined,
    });
    node = await fleet.node('git-1');
  });
  afterEach(async () => {
    statuses.close();
    time.close();
    await fleet.close();
  });

  const requestWith = (given: Partial<HeartbeatRequest>): HeartbeatRequest => {
    const body = { node, boot_id: 'first-boot', seq: 1, revision: 1, ...given };
    const { past_ways } = statuses;
    noteHeartbeat(
      statuses.of(node),
      body,
      { address: '', now_ms: clock.now(), now: clock.now(), past_ways },
      () => true,
    );
    return body;
  };
  const look = (body: HeartbeatRequest, now = statuses.now()): Findings => {
    const stored = fleet.mesh.model.get('node', node);
    assert.ok(stored !== undefined);
    const facts = { node: stored, status: statuses.of(node), sent: opened.views.of(node), now };
    return findingsOf({
      view: fleet.mesh.model,
      runtime: { ...opened, statuses },
      body,
      now_ms: clock.now(),
      ...facts,
    });
  };
  /** All that a look could change. */
  const memory = () => structuredClone({ ...statuses.of(node), distrusted: opened.views.of(node).distrusted });

  it('is the same however often it is asked, and asking changes nothing', async () => {
    clock.advance(3600);
    const id = newId('operation', 1);
    const operation: OperationDocument = {
      kind: 'rekey',
      node,
      node_name: 'git-1',
      scope: WHOLE_MESH,
      state: 'requested',
      requested_by: { kind: 'system', id: null, name: 'test' },
      requested_at: utc(1),
      requested_revision: 1,
      deadline_ms: 1,
      delivered_at: null,
      verified_at: null,
      ended_at: null,
      reason: null,
      detail: {},
      before: { wireguard_key: 'another' },
    };
    await fleet.write(put('operation', id, operation), put('liveness', node, { state: 'stale', since: utc(1) }));
    const repairs = [{ section: 'acl' as const, at: utc(1), found: 'no table' }];
    const report = { wireguard_key: KEY, endpoints: ['192.0.2.7:51820'] };
    const body = requestWith({ report, applied: { self: WRONG }, observed: { repairs } });
    statuses.of(node).apart_since = { self: statuses.now() - 3600_000 };
    const before = memory();
    const { revision } = fleet.mesh.model;
    const now = statuses.now();
    const first = look(body, now);
    assert.deepEqual(look(body, now), first);
    assert.deepEqual(memory(), before);
    assert.equal(fleet.mesh.model.revision, revision);
    assert.ok(lasts(first) && first.recovered && first.drift_changed && first.drift.resends);
    assert.deepEqual([first.wireguard_key, first.report?.endpoints, first.repairs?.count], [KEY, report.endpoints, 1]);
    assert.deepEqual(
      first.steps.map(({ step }) => step),
      [{ verified: { cut: 0 } }],
      'held against the key that it brings',
    );
  });

  it('is that a section drifts once it was apart for as long as it may be, which is noted and not asked', () => {
    const body = requestWith({ applied: { self: WRONG } });
    const first = look(body);
    assert.deepEqual(first.drift.drifting, {});
    noteDrift({ status: statuses.of(node), view: opened.views.of(node), now: statuses.now() }, first.drift);
    clock.advance(3600);
    const later = look(body);
    assert.deepEqual(Object.keys(later.drift.drifting).includes('self'), true);
    assert.equal(opened.views.of(node).distrusted, false, 'reading the findings does not resend the view');
    noteDrift({ status: statuses.of(node), view: opened.views.of(node), now: statuses.now() }, later.drift);
    assert.equal(opened.views.of(node).distrusted, true);
  });
});
