import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { CompiledFirewall, FirewallRule } from '@meshwork/contract';
import { type RealFleet, realFleet } from './real-fleet.ts';

/** The host rules of a real fleet, driven by the program alone. The steps build on each other. */
describe('mesh with host rules', () => {
  let fleet: RealFleet;
  const run = (...args: string[]) => fleet.run(...args);
  const answer = <T>(...args: string[]) => fleet.answer<T>(...args);

  before(async () => {
    fleet = await realFleet();
  });
  after(() => fleet?.[Symbol.asyncDispose]());

  it('has host rules in an order, and compiles them for a node', async () => {
    const add = (...flags: string[]) => answer<FirewallRule>('firewall', 'create', '--node', 'tag:role:sim', ...flags);
    const ssh = await add(
      '--direction',
      'in',
      '--action',
      'accept',
      '--protocol',
      'tcp',
      '--port',
      '22',
      '--rate',
      '10/minute',
    );
    const log = await add('--direction', 'in', '--action', 'log', '--note', 'all that comes');
    assert.deepEqual([ssh.position, log.position], [0, 1]);
    const moved = await answer<FirewallRule>('firewall', 'move', log.id, '--before', ssh.id);
    assert.equal(moved.position, 0);
    const { stdout } = await run('firewall', 'list');
    assert.match(stdout, /^# .*\n0 .*in any any +log +all that comes\n1 .*in any tcp 22 +accept 10\/minute +-\n$/);
    const compiled = await run('firewall', 'node', 'sim-1');
    assert.equal(compiled.code, 0);
    assert.match(compiled.stdout, /^table inet mesh/m);
    assert.match(compiled.stderr, /^sim-1: 2 host rules/m);
    assert.deepEqual((await answer<CompiledFirewall>('firewall', 'node', 'sim-1')).rules, [log.id, ssh.id]);
    const changed = await answer<FirewallRule>('firewall', 'set', ssh.id, '--no-rate', '--port', '2222', '--disabled');
    assert.deepEqual([changed.rate, changed.ports, changed.enabled], [undefined, ['2222'], false]);
  });

  it('refuses a rule that would cut agents off, unless it is forced', async () => {
    const drop = ['firewall', 'create', '--node', '*', '--direction', 'out', '--action', 'drop'];
    const refused = await run(...drop);
    assert.equal(refused.code, 5);
    assert.match(refused.stderr, /sim-\d[\s\S]*\nrequest id: req_.*\ntry: accept what agents need .*--force/);
    const forced = await answer<FirewallRule>(...drop, '--force');
    assert.equal(forced.action, 'drop');
    assert.equal((await run('firewall', 'remove', forced.id, '--yes')).stdout, `removed rule ${forced.id}\n`);
    assert.equal((await run('firewall', 'show', forced.id)).code, 4);
  });

  it('tries a list of rules without writing it', async () => {
    const { stdout: before } = await run('firewall', 'list', '--json');
    const { items } = JSON.parse(before) as { items: FirewallRule[] };
    await writeFile(join(fleet.folder, 'rules.json'), JSON.stringify([...items, items[0]]));
    const { code, stdout } = await run('firewall', 'preview', 'rules.json', '--node', 'sim-1');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^(duplicate|no effect|shadowed) \(3 nodes\): /m);
    assert.match(stdout, /^table inet mesh/m);
    assert.equal((await run('firewall', 'list', '--json')).stdout, before);
  });
});
