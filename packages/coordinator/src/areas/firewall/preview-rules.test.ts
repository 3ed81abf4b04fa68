import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FirewallPreview, FirewallRule, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const SSH = {
  nodes: ['tag:role:git'],
  direction: 'in',
  interface: 'any',
  from: ['10.0.0.0/8', '192.0.2.0/24'],
  protocol: 'tcp',
  ports: ['22'],
  action: 'drop',
};
const OUT = { nodes: ['*'], direction: 'out', interface: 'any', protocol: 'any', action: 'drop' };

describe('a preview of host rules', () => {
  let mesh: TestCoordinator;
  let nodes: readonly TestNode[];
  before(async () => {
    mesh = await TestCoordinator.start();
    nodes = [
      await TestNode.enroll(mesh, { name: 'git-2', tags: ['role:git'] }),
      await TestNode.enroll(mesh, { name: 'git-1', tags: ['role:git'] }),
      await TestNode.enroll(mesh, { name: 'web-1', tags: ['role:web'] }),
    ];
    const { id } = await TestNode.enroll(mesh, { name: 'gone-1', tags: ['role:git'] });
    await mesh.ask('DELETE', `/v1/nodes/${id}`);
    const made = await mesh.ask('POST', '/v1/firewall/rules', { body: { ...SSH, note: 'there' } });
    assert.equal(made.status, 201, made.text);
  });
  after(() => mesh.close());

  const ask = (rules: readonly object[], node?: string) =>
    mesh.ask<FirewallPreview & Problem>('POST', '/v1/firewall/preview', {
      body: { rules, ...(node === undefined ? {} : { node }) },
    });
  const preview = async (rules: readonly object[], node?: string): Promise<FirewallPreview> => {
    const got = await ask(rules, node);
    assert.equal(got.status, 200, got.text);
    return got.body;
  };
  const kinds = ({ findings }: FirewallPreview) =>
    findings.map(({ kind, rule, by, nodes: on }) => [kind, rule, by, on]);

  it('says what is odd, and on how many nodes', async () => {
    const log = { ...SSH, nodes: ['node:git-1'], action: 'log' };
    const body = await preview([
      log,
      SSH,
      { ...SSH, note: 'again', nodes: ['*'] },
      { ...SSH, nodes: ['node:git-2'], from: ['10.1.0.0/16'] },
      { ...SSH, nodes: ['tag:role:unused'] },
      { ...SSH, nodes: ['tag:role:unused'], enabled: false },
    ]);
    assert.deepEqual(kinds(body), [
      ['duplicate', 'rule-2', 'rule-1', 2],
      ['shadowed', 'rule-3', 'rule-1', 1],
      ['no_node', 'rule-4', null, 0],
    ]);
    assert.equal(body.compiled, null);
  });

  it('says who would be cut off for certain, and who perhaps', async () => {
    const body = await preview([
      { ...OUT, nodes: ['tag:role:git'], protocol: 'tcp' },
      { ...OUT, interface: 'eth0', protocol: 'tcp' },
    ]);
    assert.deepEqual(kinds(body), [
      ['cuts_off', 'rule-0', null, 2],
      ['shadowed', 'rule-1', 'rule-0', 2],
      ['may_cut_off', 'rule-1', null, 1],
    ]);
    assert.match(body.findings[0]?.detail ?? '', /Rule rule-0 drops .*coordinator/);
  });

  it('says whose rules would be others by what they say', async () => {
    const touched = async (rules: readonly object[]) => {
      const body = await preview(rules);
      assert.equal(body.nodes_touched, body.nodes.length);
      return body.nodes.map(({ name }) => name).join();
    };
    assert.equal(await touched([{ ...SSH, note: 'other words', from: SSH.from.toReversed() }]), '');
    assert.equal(await touched([{ ...SSH, nodes: ['node:git-1', 'node:git-2'] }]), '', 'the same nodes, sent the same');
    assert.equal(await touched([{ ...SSH, ports: ['23'] }]), 'git-1,git-2');
    assert.equal(await touched([{ ...SSH, enabled: false }]), 'git-1,git-2');
    assert.equal(await touched([]), 'git-1,git-2');
    assert.equal(await touched([{ ...SSH, nodes: ['*'] }]), 'web-1');
    const { body } = await ask([]);
    assert.deepEqual(body.nodes[0], { id: nodes[1]?.id, name: 'git-1' });
  });

  it('compiles for the node that is named', async () => {
    const rules = [SSH, { ...OUT, nodes: ['tag:role:web'] }];
    const byName = await preview(rules, 'git-1');
    assert.match(byName.compiled ?? '', /tcp dport 22 counter drop comment "rule rule-0"/);
    assert.doesNotMatch(byName.compiled ?? '', /rule-1/);
    assert.equal((await preview(rules, nodes[1]?.id)).compiled, byName.compiled);
    for (const node of ['no-such-node', 'gone-1', '__proto__']) {
      assert.equal((await ask(rules, node)).body.code, 'not_found', node);
    }
  });

  it('refuses rules that are wrong, each fault at its place', async () => {
    const got = await ask([SSH, { ...SSH, from: ['10.0.0.1/8'] }, { ...SSH, ports: ['x'] }]);
    assert.deepEqual([got.status, got.body.code], [422, 'invalid']);
    assert.deepEqual(
      got.body.errors?.map(({ pointer }) => pointer),
      ['/rules/1/from/0', '/rules/2/ports/0'],
    );
    const hostile = await ask(Array.from({ length: 200 }, () => ({ ...SSH, from: ['x', 'y'] })));
    assert.equal(hostile.body.errors?.length, 50, 'as many as anybody reads');
  });

  it('writes nothing', async () => {
    const state = async () => ({
      rules: (await mesh.ask<{ items: FirewallRule[] }>('GET', '/v1/firewall/rules')).body,
      trail: (await mesh.ask('GET', '/v1/audit?limit=1')).body,
      revision: /mesh_coordinator_revision \d+/.exec((await mesh.ask('GET', '/metrics')).text)?.[0],
    });
    const then = await state();
    await preview([OUT], 'git-1');
    await ask([{ ...SSH, ports: ['x'] }]);
    assert.deepEqual(await state(), then);
    const { secret: token } = await mesh.token({ role: 'viewer' });
    const viewer = await mesh.ask('POST', '/v1/firewall/preview', { body: { rules: [OUT] }, token });
    assert.equal(viewer.status, 200, 'so permission to read is enough');
  });
});
