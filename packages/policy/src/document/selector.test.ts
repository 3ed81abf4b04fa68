import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSelector } from './selector.ts';

describe('selectors', () => {
  it('say who belongs', () => {
    assert.deepEqual(parseSelector('*'), { kind: 'all' });
    assert.deepEqual(parseSelector('tag:gpu'), { kind: 'tag', tag: 'gpu' });
    assert.deepEqual(parseSelector('tag:role:git'), { kind: 'tag', tag: 'role:git' });
    assert.deepEqual(parseSelector('node:git-1'), { kind: 'node', name: 'git-1' });
    assert.deepEqual(parseSelector('group:git.servers'), { kind: 'group', name: 'git.servers' });
    const scope = { kind: 'scope', team: 'platform', surface: '*', environment: 'production' };
    assert.deepEqual(parseSelector('scope:platform/*/production'), scope);
  });

  it('are nothing else', () => {
    const kinds = ['', 'tag', ':', 'tag:', 'node:', 'group:', 'scope:', '**', 'everyone', 'user:anna', 'Tag:a', ' *'];
    const parts = [
      'tag:a:b:c',
      'tag:A',
      'node:a.b',
      'node:-a',
      'node:a-',
      'group:a:b',
      'group:-a',
      `group:${'a'.repeat(64)}`,
    ];
    const scopes = ['scope:a/b', 'scope:a/b/c/d', 'scope:a//c', 'scope:a/b/C', 'scope:a/b/c\n', 'scope:***/b/c'];
    for (const text of [...kinds, ...parts, ...scopes]) assert.equal(parseSelector(text), undefined, text);
  });
});
