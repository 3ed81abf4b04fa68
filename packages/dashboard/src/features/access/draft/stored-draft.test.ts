import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { keepDraft, readDraft } from './stored-draft.ts';

const draft = { text: '{ // mine\n}', base: { version: 3, etag: '"17"', text: '{}' } };

describe('a stored draft', () => {
  beforeEach(() => sessionStorage.clear());

  it('is restored after a reload, for its author only', () => {
    assert.ok(keepDraft(sessionStorage, 'user_ana', draft));
    assert.deepEqual(readDraft(sessionStorage, 'user_ana'), draft);
    assert.equal(readDraft(sessionStorage, 'user_ben'), null);
  });

  it('is removed once it is saved or discarded', () => {
    keepDraft(sessionStorage, 'user_ana', draft);
    assert.ok(keepDraft(sessionStorage, 'user_ana', null));
    assert.deepEqual([readDraft(sessionStorage, 'user_ana'), sessionStorage.length], [null, 0]);
  });

  it('reports that the browser storage is full', () => {
    const huge = { ...draft, text: 'x'.repeat(12 * 1024 * 1024) };
    assert.equal(keepDraft(sessionStorage, 'user_ana', huge), false);
  });

  it('is ignored when its shape is unknown', () => {
    for (const text of ['', 'null', '{"text": 1}', '{"text": "a", "base": {"version": "3"}}', '{']) {
      sessionStorage.setItem('meshwork.policy-draft.user_ana', text);
      assert.equal(readDraft(sessionStorage, 'user_ana'), null, text);
    }
  });
});
