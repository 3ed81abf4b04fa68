import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { keepDraft, readDraft } from './stored-draft.ts';

const draft = { text: '{ // mine\n}', base: { version: 3, etag: '"17"', text: '{}' } };

describe('what somebody typed', () => {
  beforeEach(() => sessionStorage.clear());

  it('is there again after a reload, for them and for nobody else', () => {
    assert.ok(keepDraft(sessionStorage, 'user_ana', draft));
    assert.deepEqual(readDraft(sessionStorage, 'user_ana'), draft);
    assert.equal(readDraft(sessionStorage, 'user_ben'), null);
  });

  it('is gone once it was saved or thrown away', () => {
    keepDraft(sessionStorage, 'user_ana', draft);
    assert.ok(keepDraft(sessionStorage, 'user_ana', null));
    assert.deepEqual([readDraft(sessionStorage, 'user_ana'), sessionStorage.length], [null, 0]);
  });

  it('cannot be kept where there is no room, which is said', () => {
    const huge = { ...draft, text: 'x'.repeat(12 * 1024 * 1024) };
    assert.equal(keepDraft(sessionStorage, 'user_ana', huge), false);
  });

  it('counts for nothing when it is not what we wrote', () => {
    for (const text of ['', 'null', '{"text": 1}', '{"text": "a", "base": {"version": "3"}}', '{']) {
      sessionStorage.setItem('meshwork.policy-draft.user_ana', text);
      assert.equal(readDraft(sessionStorage, 'user_ana'), null, text);
    }
  });
});
