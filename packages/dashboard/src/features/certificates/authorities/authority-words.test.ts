import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { authorityWords } from './authority-words.ts';

describe('what is said of an authority', () => {
  it('depends on its state', () => {
    const said = (state: Parameters<typeof authorityWords>[0]['state']) =>
      authorityWords({ role: 'intermediate', state, certificates: 2 });
    assert.equal(said('published'), 'New intermediate, sent to every node. Not in use yet.');
    assert.equal(said('active'), 'Intermediate, which signs. 2 valid certificates.');
    assert.equal(said('retiring'), 'Old intermediate, which signs nothing more. 2 valid certificates.');
    assert.equal(said('retired'), 'Old intermediate, which nodes no longer trust.');
  });

  it('counts intermediates of a root', () => {
    const root = { role: 'root', state: 'active', certificates: 1 } as const;
    assert.equal(authorityWords(root), 'Root, which programs trust. 1 valid intermediate.');
  });

  it('says where the key of a root is that was exported and dropped', () => {
    const root = { role: 'root', state: 'active', certificates: 1 } as const;
    const said = 'Root, which programs trust. 1 valid intermediate. Its key is kept outside the installation.';
    assert.equal(authorityWords({ ...root, key: 'outside' }), said);
    assert.equal(authorityWords({ ...root, key: 'kept' }), 'Root, which programs trust. 1 valid intermediate.');
  });
});
