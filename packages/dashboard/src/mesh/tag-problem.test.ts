import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Tag } from '@meshwork/contract';
import { movesBoundary, ownTags, TAG, tagProblem } from './tag-problem.ts';

describe('tags while they are typed', () => {
  test('have the pattern of the contract', () => {
    assert.equal(Object.entries(Tag).find(([key]) => key === 'pattern')?.[1], TAG.source);
  });

  test('may be what the coordinator takes', () => {
    assert.equal(tagProblem(['role:git', 'env:production', 'plain', 'a.b-c_d']), null);
    assert.equal(tagProblem([]), null);
  });

  test('have a message that says what is wrong', () => {
    assert.match(tagProblem(['Role:git']) ?? '', /“Role:git” is not a valid tag/);
    assert.match(tagProblem(['team:']) ?? '', /“team:” is not a valid tag/);
    assert.match(tagProblem(['<b>x</b>']) ?? '', /is not a valid tag/);
    assert.match(tagProblem(['team:a', 'team:b']) ?? '', /only one team: tag, not team:a and team:b/);
    assert.match(tagProblem(Array.from({ length: 33 }, (_, place) => `t${place}`)) ?? '', /at most 32 tags/);
  });

  test('move a node when one that bounds it changes', () => {
    assert.equal(movesBoundary(['team:a', 'role:x'], ['team:a', 'role:y']), false);
    assert.equal(movesBoundary(['team:a'], ['team:b']), true);
    assert.equal(movesBoundary(['team:a'], []), true);
  });

  test('are the node’s own where they do not say which boundary it belongs to', () => {
    assert.deepEqual(ownTags(['role:git', 'team:a', 'env:b', 'surface:c', 'teams']), ['role:git', 'teams']);
  });
});
