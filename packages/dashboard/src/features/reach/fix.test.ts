import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFix } from './fix.ts';

describe('a suggestion of an explanation', () => {
  it('may be a command, which can be copied by itself', () => {
    assert.deepEqual(readFix('Release ci-3 once it is safe: mesh node release ci-3'), {
      text: 'Release ci-3 once it is safe.',
      command: 'mesh node release ci-3',
    });
  });

  it('may be a grant, with the groups that it needs', () => {
    const one = readFix('Write a grant: {"from": "laptops", "to": "databases", "allow": ["tcp:5432"]}.');
    const grant = { from: 'laptops', to: 'databases', allow: ['tcp:5432'] };
    assert.deepEqual(JSON.parse(one.suggest ?? ''), { grant, groups: {} });
    const text =
      'Write a grant: {"from": "a", "to": "b", "allow": ["icmp"]}, and with it the groups "a": ["node:a"], "b": ["node:b"].';
    assert.deepEqual(JSON.parse(readFix(text).suggest ?? ''), {
      grant: { from: 'a', to: 'b', allow: ['icmp'] },
      groups: { a: ['node:a'], b: ['node:b'] },
    });
  });

  it('may name what was meant, a node, a firewall rule or the policy', () => {
    assert.deepEqual(readFix('Did you mean git-1?').meant, ['git-1']);
    assert.deepEqual(readFix('Did you mean git-1, git-2 or git-3?').meant, ['git-1', 'git-2', 'git-3']);
    assert.equal(readFix('Give laptop-ben the tag role:web, which makes it one of shops.').retag, 'laptop-ben');
    const rule = 'firewall_01m7fakr1zf5m9pgecw30jt901';
    assert.equal(readFix(`Change firewall rule ${rule}, or put one before it.`).rule, rule);
    assert.equal(readFix('Add "tcp:22" to the grant shops -> databases.').is_policy, true);
  });

  it('may be nothing but words', () => {
    const text = 'Start the relay fra-1 again.';
    assert.deepEqual(readFix(text), { text });
    assert.deepEqual(readFix('Look at {"from": it]}.'), { text: 'Look at {"from": it]}.' });
  });
});
