/** Explanations rest on what both ends say now. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Explanation, ForeignRule, Posture } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { heard, type ProbedNode, probedPair } from '../../../test/probed-node.ts';

const policyOf = (...allow: readonly string[]) => ({
  groups: { everyone: ['*'] },
  grants: [{ from: 'everyone', to: 'everyone', allow }],
});

describe('what both ends say now', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  let near: ProbedNode;
  let far: ProbedNode;

  before(async () => {
    mesh = await TestCoordinator.start();
    [near, far] = await probedPair(mesh, { names: ['near', 'far'], policy: policyOf('tcp:22'), kinds: ['look'] });
  });
  after(async () => {
    await near?.stop();
    await far?.stop();
    await mesh?.close();
  });

  const explain = async (from = 'near', to = 'far', port = 'tcp:22') => {
    const got = await mesh.ask<Explanation>('GET', `/v1/acls/explain?${new URLSearchParams({ from, to, port })}`);
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  /** Nothing that was said before counts. */
  const forget = () => mesh.clock.advance(4);
  const verdictIs = async (verdict: Explanation['verdict'], ...question: Parameters<typeof explain>) => {
    let answer: Explanation | undefined;
    await mesh.until(async () => {
      forget();
      answer = await explain(...question);
      return answer.verdict === verdict;
    });
    return answer ?? assert.fail();
  };

  it('is asked for once, and then is good for a few seconds', async () => {
    await verdictIs('allowed');
    const asked = near.probes.length + far.probes.length;
    assert.equal((await explain()).verdict, 'allowed');
    assert.equal(near.probes.length + far.probes.length, asked);
    forget();
    await explain();
    assert.equal(near.probes.length + far.probes.length, asked + 2);
    assert.deepEqual(near.probes.at(-1)?.look?.peers, [far.node.id]);
    assert.deepEqual(far.probes.at(-1)?.look?.peers, [near.node.id]);
  });

  it('is unknown when an end does not answer, whatever it said before', async () => {
    await verdictIs('allowed');
    far.answers = () => undefined;
    forget();
    assert.equal((await explain()).verdict, 'unknown');
    assert.equal((await explain('far', 'far')).verdict, 'unknown', 'not even that it reaches itself');
    far.answers = heard;
    await verdictIs('allowed');
    await verdictIs('allowed', 'far', 'far');
  });

  it('is unknown when no packet came, or when the filter is not what was applied', async () => {
    far.answers = ({ look }) => ({
      look: { links: (look?.peers ?? []).map((peer) => ({ peer, heard: false })), rules: [] },
    });
    const silent = await verdictIs('unknown');
    assert.deepEqual(
      silent.steps.filter(({ outcome }) => outcome !== 'pass').map(({ check }) => check),
      ['link'],
    );
    far.answers = (probe) => {
      const { look, ...rest } = heard(probe);
      return look === undefined ? rest : { look: { ...look, filter: 'the table is gone' } };
    };
    assert.match((await verdictIs('unknown')).reason, /the table is gone/);
    assert.equal((await explain('near', 'far', 'tcp:23')).verdict, 'unknown', 'nor is it denied');
    far.answers = heard;
    await verdictIs('allowed');
  });

  it('is unknown while rules of another program may concern it', async () => {
    const text = 'ip filter INPUT: tcp dport 22 drop';
    far.answers = (probe) => {
      const { look, ...rest } = heard(probe);
      const rule: ForeignRule = { kind: 'filter', direction: 'in', text, protocol: 'tcp', ports: ['22'] };
      return look === undefined ? rest : { look: { ...look, foreign: [rule] } };
    };
    assert.ok((await verdictIs('unknown')).reason.includes(text));
    far.answers = heard;
    await verdictIs('allowed');
  });

  it('does not take a policy for applied that was another one meanwhile', async () => {
    await verdictIs('denied', 'near', 'far', 'tcp:80');
    await Promise.all([near.stop(), far.stop()]);
    await mesh.ask('PUT', '/v1/acls', { body: policyOf('tcp:22', 'tcp:80') });
    // It receives the change, and what it says of it is lost.
    await far.node.beat();
    await mesh.ask('PUT', '/v1/acls', { body: policyOf('tcp:22') });
    const { body } = await mesh.ask<Posture>('GET', `/v1/nodes/${far.node.id}/posture`);
    assert.equal(body.sections.acl.desired.digest, body.sections.acl.observed?.digest);
    assert.equal(body.sections.acl.in_sync, false);
    await Promise.all([near.start(), far.start()]);
    await verdictIs('denied', 'near', 'far', 'tcp:80');
  });
});
