import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { portMeant, withPort } from './question.ts';

describe('a reachability question', () => {
  it('may name a port in many ways', () => {
    for (const text of ['22', 'tcp:22', ' TCP/22 ', 'tcp 22']) assert.equal(portMeant(text), 'tcp:22');
    assert.equal(portMeant('udp/53'), 'udp:53');
    for (const text of ['icmp', '', 'ssh']) assert.equal(portMeant(text), text);
  });

  it('may have the port in the destination, as other programs write it', () => {
    assert.deepEqual(withPort('git-1:22'), { to: 'git-1', port: 'tcp:22' });
    assert.deepEqual(withPort('git-1:udp:53'), { to: 'git-1', port: 'udp:53' });
    assert.deepEqual(withPort('10.20.0.1:443'), { to: '10.20.0.1', port: 'tcp:443' });
    assert.deepEqual(withPort('[fd00::1]:443'), { to: 'fd00::1', port: 'tcp:443' });
    for (const text of ['git-1', 'service:git-ssh', 'service:22', 'fd00::1', '10.20.0.1']) {
      assert.equal(withPort(text), undefined, text);
    }
  });
});
