/** `mesh explain --live` against a real coordinator, with nodes that answer as agents do. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, ProbeReport, SelfCheck } from '@meshwork/contract';
import { heard, type ProbedNode, probedPair, TestCoordinator } from '@meshwork/coordinator/testing';
import { mesh as run } from './run-mesh.ts';

const POLICY = {
  groups: { everyone: ['*'] },
  grants: [{ from: 'everyone', to: 'everyone', allow: ['tcp:22'], within: 'boundary' }],
};
const DROP = 'inet mesh policy_in: counter name "denied_in" drop';

describe('mesh explain --live', { timeout: 240_000 }, () => {
  let mesh: TestCoordinator;
  let laptop: ProbedNode;
  let git: ProbedNode;

  before(async () => {
    mesh = await TestCoordinator.start();
    [laptop, git] = await probedPair(mesh, { names: ['laptop-3', 'git-1'], policy: POLICY, tags: ['team:red'] });
  });
  after(async () => {
    await laptop?.stop();
    await git?.stop();
    await mesh?.close();
  });

  const explain = (...args: string[]) => runAs(mesh.owner, 'explain', ...args);
  /** Tries until the output is like this: on a machine that stands still for a moment, nodes answer too late to be counted. */
  const explains = async (wanted: RegExp, ...args: string[]) => {
    let last = await explain(...args);
    for (let left = 4; left > 0 && !wanted.test(last.stdout); left -= 1) {
      mesh.clock.advance(10); // so that no attempt counts against the next
      last = await explain(...args);
    }
    assert.match(last.stdout, wanted);
    mesh.clock.advance(10);
    return last;
  };
  const runAs = (token: string, ...args: string[]) => run(args, { env: { MESH_URL: mesh.url, MESH_TOKEN: token } });
  const tries = (outcome: 'connected' | 'timed_out') => {
    laptop.answers = (probe) => (probe.attempt === undefined ? heard(probe) : { attempt: { outcome, took_ms: 7 } });
  };
  const arrives = (arrived: number, passed: number) => {
    git.answers = (probe) =>
      probe.watch === undefined
        ? heard(probe)
        : [
            { watch: { state: 'begun', arrived: 0, passed: 0 } },
            { watch: { state: 'ended', arrived, passed, interface: 'mesh0', verdict: DROP } },
          ];
  };

  it('shows what the source tried, what arrived and which rule decided', async () => {
    tries('timed_out');
    arrives(1, 0);
    const { code, stdout, stderr } = await explains(/attempt agrees/, 'laptop-3', 'git-1:5432', '--live');
    assert.deepEqual([code, stderr], [10, ''], stdout);
    assert.match(stdout, /^explained {2}DENIED {3}No grant lets laptop-3 reach git-1 on tcp:5432\.\ntried {6}BLOCKED /);
    assert.match(stdout, /^The attempt agrees with the explanation\.$/m);
    assert.match(stdout, /^ {2}attempt {2}laptop-3 to \S+ on tcp:5432: no answer within 7 ms$/m);
    assert.match(stdout, /^ {2}arrival {2}1 packet arrived at git-1 .*on mesh0; none passed/m);
    assert.match(stdout, /^ {2}rule {5}inet mesh policy_in: counter name "denied_in" drop$/m);
    const { body } = await mesh.ask<{ items: readonly AuditEntry[] }>('GET', '/v1/audit?action=acls.probe');
    assert.match(JSON.stringify(body.items), /tries tcp:5432 to /);
  });

  it('ends with what happened, and calls a disagreement one', async () => {
    tries('timed_out');
    arrives(1, 0);
    const lie = await explains(/^DISAGREEMENT/m, 'laptop-3', 'git-1', '22', '--live');
    assert.equal(lie.code, 10, lie.stdout);
    assert.match(lie.stdout, /^DISAGREEMENT {2}Explain said allowed, the attempt was blocked\./m);
    tries('connected');
    arrives(2, 2);
    const machine = await explains(/"agrees": true/, 'laptop-3', 'git-1', 'tcp:22', '--live', '--json');
    const report: ProbeReport = JSON.parse(machine.stdout);
    assert.deepEqual([machine.code, report.reality, report.agrees], [0, 'passed', true]);
  });

  it('says what cannot be tried, and who may not', async () => {
    laptop.answers = (probe) => (probe.attempt === undefined ? heard(probe) : { error: 'probes are switched off' });
    const refused = await explains(/ALLOWED/, 'laptop-3', 'git-1:22', '--live');
    assert.equal(refused.code, 0, 'the explanation is what is known');
    assert.match(refused.stdout, /^tried {6}UNKNOWN {2}No attempt was made: probes are switched off\.$/m);
    const viewer = await mesh.token({ role: 'viewer' });
    const { code, stderr } = await runAs(viewer.secret, 'explain', 'laptop-3', 'git-1:22', '--live');
    assert.equal(code, 3);
    assert.match(stderr, /acls:probe/);
  });

  it('is refused once it comes too often', async () => {
    tries('connected');
    arrives(1, 1);
    using _still = mesh.clock.holdStill(); // so that the allowance does not fill up again
    let last = await explain('laptop-3', 'git-1:22', '--live');
    for (let tried = 1; tried < 10 && last.code !== 6; tried += 1)
      last = await explain('laptop-3', 'git-1:22', '--live');
    assert.equal(last.code, 6, last.stderr);
    assert.match(last.stderr, /^try: wait a little, then try again$/m);
  });

  it('has a tally of the checks that the mesh makes itself', async () => {
    const tally = await runAs(mesh.owner, 'acl', 'self-check');
    assert.deepEqual([tally.code, tally.stderr], [0, '']);
    assert.match(tally.stdout, /checked/);
    const machine = await runAs(mesh.owner, 'acl', 'self-check', '--json');
    const check: SelfCheck = JSON.parse(machine.stdout);
    assert.equal(check.disagreed, check.disagreements.length);
  });
});
