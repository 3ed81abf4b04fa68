import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTarget } from './target.ts';

describe('targets of a test', () => {
  it('say whom and what', () => {
    const target = (text: string) => Object.values(parseTarget(text) ?? {});
    assert.deepEqual(parseTarget('git-1:tcp:22'), { kind: 'node', name: 'git-1', protocol: 'tcp', port: 22 });
    assert.deepEqual(target('git-1:icmp'), ['node', 'git-1', 'icmp', 0]);
    assert.deepEqual(target('group:git-servers:udp:53'), ['group', 'git-servers', 'udp', 53]);
    assert.deepEqual(target('10.20.1.1:tcp:443'), ['address', '10.20.1.1', 'tcp', 443]);
    assert.deepEqual(target('[FD00:0::1]:icmp'), ['address', 'fd00::1', 'icmp', 0]);
  });

  it('are read from their end, so that a node may be called as it likes', () => {
    assert.deepEqual(parseTarget('group:tcp:22'), { kind: 'node', name: 'group', protocol: 'tcp', port: 22 });
    assert.deepEqual(parseTarget('icmp:icmp'), { kind: 'node', name: 'icmp', protocol: 'icmp', port: 0 });
    assert.deepEqual(parseTarget('group:icmp:icmp'), { kind: 'group', name: 'icmp', protocol: 'icmp', port: 0 });
  });

  it('are about one port of one node, group or address', () => {
    const whom = [
      '',
      ':tcp:22',
      'tcp:22',
      'node:git-1:tcp:22',
      'tag:a:tcp:22',
      'fd00::1:tcp:22',
      '[10.0.0.1]:tcp:22',
      '*:tcp:22',
    ];
    const what = [
      'git-1',
      'git-1:22',
      'git-1:tcp',
      'git-1:tcp:*',
      'git-1:tcp:1-2',
      'git-1:tcp:0',
      'git-1:*',
      'git-1:icmp:8',
    ];
    for (const text of [...whom, ...what, '10.0.0.0/8:tcp:22', '[]:icmp', 'git-1:tcp:22\n']) {
      assert.equal(parseTarget(text), undefined, text);
    }
  });
});
