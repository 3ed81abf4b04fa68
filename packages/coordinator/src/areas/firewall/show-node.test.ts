import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { CompiledFirewall, FirewallRule, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const run = promisify(execFile);
const BOUNDARY = ['team:platform', 'surface:git', 'env:production'];
const IN = { direction: 'in', interface: 'any', protocol: 'any', action: 'drop' };

describe('what a node filters by', () => {
  let mesh: TestCoordinator;
  const nodes: Record<string, TestNode> = {};
  const rules: Record<string, FirewallRule> = {};
  before(async () => {
    mesh = await TestCoordinator.start();
    for (const name of ['git-1', 'git-2', 'git-3']) {
      nodes[name] = await TestNode.enroll(mesh, { name, tags: BOUNDARY });
    }
    const list: Record<string, object> = {
      limited: {
        ...IN,
        nodes: ['tag:surface:git'],
        interface: 'mesh',
        from: ['100.64.0.0/10', 'fd00::/8'],
        protocol: 'tcp',
        ports: ['22', '8000-8999'],
        action: 'accept',
        rate: { count: 10, per: 'minute' },
      },
      closed: { ...IN, nodes: ['node:git-1'], protocol: 'tcp', ports: ['22'] },
      out: { ...IN, nodes: ['scope:platform/*/*'], direction: 'out', interface: 'eth0', to: ['192.0.2.0/24'] },
      logged: { ...IN, nodes: ['*'], direction: 'forward', protocol: 'icmp', action: 'log' },
      off: { ...IN, nodes: ['*'], enabled: false },
    };
    for (const [name, body] of Object.entries(list)) {
      const got = await mesh.ask<FirewallRule>('POST', '/v1/firewall/rules', { body });
      assert.equal(got.status, 201, got.text);
      rules[name] = got.body;
    }
  });
  after(() => mesh.close());

  const show = (id: string | undefined) => mesh.ask<CompiledFirewall & Problem>('GET', `/v1/firewall/nodes/${id}`);
  const idsOf = (...names: readonly string[]) => names.map((name) => rules[name]?.id);

  it('is the rules that hold for it and what the policy grants its peers', async () => {
    const { status, body } = await show(nodes['git-1']?.id);
    assert.equal(status, 200);
    assert.deepEqual([body.node, body.name], [nodes['git-1']?.id, 'git-1']);
    assert.deepEqual(body.rules, idsOf('limited', 'closed', 'out', 'logged'));
    assert.match(body.text, /table inet mesh \{/);
    assert.match(body.text, /iifname "mesh0" goto policy_in/);
    for (const name of ['git-2', 'git-3']) {
      const [address] = nodes[name]?.enrolled.address.split('/') ?? [];
      const [address6] = nodes[name]?.enrolled.address6.split('/') ?? [];
      assert.ok(body.text.includes(`${address}`) && body.text.includes(`${address6}`), `it knows ${name}`);
    }
    assert.ok(!body.text.includes(`${nodes['git-1']?.enrolled.address.split('/')[0]},`), 'it is no peer of its own');
    assert.deepEqual((await show('git-2')).body.rules, idsOf('limited', 'out', 'logged'));
  });

  it('is the same text each time, and says which revision it is of', async () => {
    const [one, other] = [await show(nodes['git-1']?.id), await show('git-1')];
    assert.deepEqual(one.body, other.body);
    const newest = rules.off?.revision ?? 0;
    assert.ok(one.body.revision >= newest);
    await mesh.down();
    await mesh.up();
    assert.equal((await show('git-1')).body.text, one.body.text, 'also after a restart');
  });

  it('is loaded by nftables as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mesh-firewall-'));
    try {
      for (const name of Object.keys(nodes)) {
        const file = join(folder, `${name}.nft`);
        await writeFile(file, (await show(name)).body.text);
        // In a network of its own, where there is nothing to break.
        await run('unshare', ['-n', 'nft', '-c', '-f', file]);
        await run('unshare', ['-n', 'nft', '-f', file]);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('comes with what is odd about it', async () => {
    const { body } = await show('git-2');
    assert.deepEqual(
      body.findings.map(({ kind, rule, nodes: on }) => [kind, rule, on]),
      [
        ['no_effect', rules.limited?.id, 1],
        ['may_cut_off', rules.out?.id, 1],
        ['may_cut_off', rules.out?.id, 1],
      ],
    );
  });

  it('has no peers when it is cut off, and still its rules', async () => {
    const cut = await mesh.ask('POST', `/v1/nodes/${nodes['git-3']?.id}/quarantine`, { body: {} });
    assert.equal(cut.status, 202, cut.text);
    const { body } = await show('git-3');
    assert.doesNotMatch(body.text, /elements/);
    assert.deepEqual(body.rules, idsOf('limited', 'out', 'logged'));
    const [address] = nodes['git-3']?.enrolled.address.split('/') ?? [];
    assert.ok(!(await show('git-1')).body.text.includes(`${address}`), 'and others do not know it');
  });

  it('is nothing where there is no node, or none any more', async () => {
    const gone = await TestNode.enroll(mesh, { name: 'gone-1', tags: BOUNDARY });
    assert.equal((await show('gone-1')).status, 200);
    await mesh.ask('DELETE', `/v1/nodes/${gone.id}`);
    for (const text of [gone.id, 'gone-1', 'no-such-node']) {
      const got = await show(text);
      assert.deepEqual([got.status, got.body.code], [404, 'not_found'], text);
    }
  });
});
