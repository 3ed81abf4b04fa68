import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleToken, type Token } from '@meshwork/contract';
import { mayRotate } from './may-rotate.ts';

const own = ['tokens:rotate', ...exampleToken.permissions];
const why = (token: Partial<Token>, permissions = own) => {
  const answer = mayRotate({ ...exampleToken, ...token }, permissions);
  return answer.yes ? '' : answer.why;
};

describe('rotating a token', () => {
  it('is for those who may do all that it may', () => {
    assert.equal(why({}), '');
    assert.match(why({ permissions: [...exampleToken.permissions, 'acls:write'] }), /\(acls:write\)/);
    assert.match(why({}, exampleToken.permissions), /role does not allow/);
  });

  it('is for active ones that speak for themselves', () => {
    assert.match(why({ state: 'retiring' }), /is retiring/);
    assert.match(why({ state: 'used_up' }), /uses are spent/);
    assert.match(why({ on_behalf_of: { id: 'user_01jcqv5s3ee3xv9k7d0w8m2b4n', name: 'Ada' } }), /session of Ada/);
    assert.match(why({ role: 'panel' }), /panel’s own/);
  });
});
