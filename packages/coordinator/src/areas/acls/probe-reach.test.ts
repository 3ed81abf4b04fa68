/** A real attempt beside the explanation, and the mesh that checks itself by such attempts. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type {
  AttemptOutcome,
  AuditEntry,
  Overview,
  ProbeReport,
  ProbeResult,
  Problem,
  SelfCheck,
} from '@meshwork/contract';
import { EventReader } from '../../../test/event-reader.ts';
import { TestCoordinator } from '../../../test/harness.ts';
import { type Answers, heard, type ProbedNode, probedPair } from '../../../test/probed-node.ts';
import { TestNode } from '../../../test/test-node.ts';

const POLICY = {
  groups: { everyone: ['*'] },
  grants: [{ from: 'everyone', to: 'everyone', allow: ['tcp:22'], within: 'boundary' }],
};

describe('a probe', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let near: ProbedNode;
  let far: ProbedNode;
  let operator: string;

  before(async () => {
    mesh = await TestCoordinator.start();
    await TestNode.enroll(mesh, { name: 'elsewhere', tags: ['team:blue'] });
    [near, far] = await probedPair(mesh, { names: ['near', 'far'], policy: POLICY, tags: ['team:red'] });
    await nextCheck(); // the next one comes only when the clock is set forward
  });
  after(async () => {
    await near?.stop();
    await far?.stop();
    await mesh?.close();
  });
  beforeEach(async () => {
    operator = (await mesh.token({ role: 'operator' })).secret; // attempts of the test before do not count against it
    near.answers = trying('connected');
    far.answers = watching({ arrived: 1, passed: 1 });
  });

  const probe = (body: object, token = operator) =>
    mesh.ask<ProbeReport & Problem>('POST', '/v1/acls/probe', { body, token });
  const checks = async () => (await mesh.ask<SelfCheck>('GET', '/v1/acls/self-check')).body;
  /** Each comes 40 s after the last: more at once would make the nodes overdue, whose heartbeats wait for probes. */
  const nextCheck = async () => {
    const { total } = await checks();
    mesh.clock.advance(41);
    await mesh.until(async () => (await checks()).total > total);
    return await checks();
  };
  const trying =
    (outcome: AttemptOutcome, detail?: string): Answers =>
    (asked) =>
      asked.attempt === undefined
        ? heard(asked)
        : { attempt: { outcome, took_ms: 7, ...(detail === undefined ? {} : { detail }) } };
  const watching =
    (seen: Partial<NonNullable<ProbeResult['watch']>>): Answers =>
    (asked) =>
      asked.watch === undefined
        ? heard(asked)
        : [
            { watch: { state: 'begun', arrived: 0, passed: 0 } },
            { watch: { state: 'ended', arrived: 0, passed: 0, ...seen } },
          ];
  const lastOf = ({ probes }: ProbedNode, kind: 'attempt' | 'watch') => probes.findLast((one) => one[kind])?.[kind];

  it('has the source try and the other end watch for the same packets', async () => {
    const { status, body, text } = await probe({ from: 'near', to: 'far', port: 'tcp:22' });
    assert.equal(status, 200, text);
    assert.deepEqual([body.reality, body.attempt?.outcome, body.arrival?.passed], ['passed', 'connected', 1]);
    assert.equal(body.explanation.port, 'tcp:22');
    const flow = lastOf(near, 'attempt')?.flow;
    assert.deepEqual(flow, lastOf(far, 'watch')?.flow);
    assert.equal(flow?.from, near.node.enrolled.address6.replace('/128', ''), 'by the family that hosts prefer');
    assert.equal(flow?.to, far.node.enrolled.address6.replace('/128', ''));
    assert.equal(flow?.port, 22);
  });

  it('says where the packets ended, and which rule decided', async () => {
    near.answers = trying('timed_out');
    far.answers = watching({ arrived: 1, passed: 0, interface: 'mesh0', verdict: 'inet mesh policy_in: drop' });
    const { body } = await probe({ from: 'near', to: 'far', port: 'tcp:23' });
    assert.deepEqual([body.reality, body.arrival?.rule], ['blocked', 'inet mesh policy_in: drop']);
    assert.match(body.reason, /arrived at far, and was dropped there: inet mesh policy_in: drop/);
    far.answers = watching({ arrived: 0 });
    assert.match((await probe({ from: 'near', to: 'far', port: 'tcp:22' })).body.reason, /Nothing of near arrived/);
    near.answers = trying('refused');
    assert.equal((await probe({ from: 'near', to: 'far', port: 'tcp:22' })).body.reality, 'passed');
  });

  it('does not make up an outcome where there is none', async () => {
    near.answers = (asked) =>
      asked.attempt === undefined ? heard(asked) : { error: 'the address is not in the mesh' };
    const failed = (await probe({ from: 'near', to: 'far', port: 'tcp:22' })).body;
    assert.deepEqual([failed.reality, failed.agrees, failed.attempt], ['unknown', null, null]);
    assert.match(failed.reason, /the address is not in the mesh/);
    for (const body of [
      { from: 'near', to: 'near' },
      { from: 'near', to: '192.0.2.9' },
      { from: 'near', to: 'nowhere' },
      { from: 'elsewhere', to: 'far', port: 'tcp:22' },
    ]) {
      const tried = near.probes.length;
      const got = await probe(body);
      assert.deepEqual([got.status, got.body.reality, got.body.attempt], [200, 'unknown', null], got.text);
      assert.ok(near.probes.slice(tried).every(({ attempt }) => attempt === undefined));
    }
  });

  it('is limited, and in the audit trail', async () => {
    const refused: string[] = [];
    for (let count = 0; count < 7; count++) {
      const got = await probe({ from: 'near', to: 'far', port: 'tcp:22' });
      if (got.status !== 200) refused.push(got.body.code);
    }
    assert.deepEqual(refused, ['rate_limited', 'rate_limited']);
    const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=acls.probe&limit=1');
    assert.equal(body.items[0]?.target?.id, near.node.id);
    assert.match(body.items[0]?.detail ?? '', /^tries tcp:22 to fd/);
  });

  it('asks only nodes that the caller may see', async () => {
    const blue = await mesh.token({ scope: { team: 'blue' }, role: 'operator' });
    const tried = near.probes.length;
    const { status, body } = await probe({ from: 'near', to: 'far', port: 'tcp:22' }, blue.secret);
    assert.deepEqual([status, body.reality, body.attempt], [200, 'unknown', null]);
    assert.equal(near.probes.length, tried);
    const viewer = await mesh.token({ role: 'viewer' });
    assert.equal((await probe({ from: 'near', to: 'far' }, viewer.secret)).body.code, 'permission_denied');
  });

  it('is what the mesh checks itself by, and a disagreement is announced', async () => {
    await mesh.allowEverything();
    const failing: Answers = (asked) => (asked.watch === undefined ? trying('timed_out')(asked) : watching({})(asked));
    near.answers = failing;
    far.answers = failing;
    let checked = await nextCheck();
    while (checked.disagreed === 0) checked = await nextCheck();
    const [lie] = checked.disagreements;
    assert.deepEqual([lie?.report.explanation.verdict, lie?.report.reality], ['allowed', 'blocked']);
    assert.match(lie?.command ?? '', /^mesh explain (near|far) \S+ \S+ --live$/);
    assert.equal(
      checked?.total,
      checked?.checks.reduce((sum, { count }) => sum + count, 0),
    );
    const { body } = await mesh.ask<Overview>('GET', '/v1/overview');
    assert.deepEqual([body.explain?.disagreed, body.attention[0]?.kind], [checked.disagreed, 'explain_disagreed']);
    const query = '?after=0&type=policy.explain_disagreed';
    using events = await EventReader.open(mesh.url, { token: mesh.owner, query });
    assert.match((await events.events(1))[0]?.data ?? '', /"verdict":"allowed","reality":"blocked"/);
  });
});
