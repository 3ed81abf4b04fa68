import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wanted } from './wanted.ts';

test('what is wanted, and on which port', () => {
  const cases: [string, string, string | undefined][] = [
    ['git-1', 'git-1', undefined],
    ['git-1:22', 'git-1', 'tcp:22'],
    ['git-1:tcp:22', 'git-1', 'tcp:22'],
    ['git-1:udp:53', 'git-1', 'udp:53'],
    ['git-1:icmp', 'git-1', 'icmp'],
    ['service:git-ssh', 'service:git-ssh', undefined],
    ['service:git-ssh:2222', 'service:git-ssh', 'tcp:2222'],
    ['10.20.1.1:443', '10.20.1.1', 'tcp:443'],
    ['[fd00::1]:443', 'fd00::1', 'tcp:443'],
    ['[fd00::1]:udp:53', 'fd00::1', 'udp:53'],
    ['[fd00::1]', 'fd00::1', undefined],
    ['fd00::1', 'fd00::1', undefined],
    // Without brackets it is an address, and the end of it no port.
    ['fd00::1:443', 'fd00::1:443', undefined],
    ['git-1:00022', 'git-1', 'tcp:22'],
    ['git-1:65535', 'git-1', 'tcp:65535'],
  ];
  for (const [text, to, port] of cases) assert.deepEqual(wanted(text), { to, port }, text);
});

test('what cannot be read is refused with examples', () => {
  const wrong = [
    '',
    ':22',
    'git-1:',
    'git-1:ssh',
    'git-1:0',
    'git-1:65536',
    'git-1:sctp:1',
    'git-1:22:22',
    'git-1:icmp:1',
  ];
  for (const text of [...wrong, '[git-1]:22', '[fd00::1]443', 'service:', 'git-1:-1', 'git-1:tcp:22-25', 'git-1:*']) {
    assert.throws(() => wanted(text), /git-1:22, git-1:udp:53/, text);
  }
});
