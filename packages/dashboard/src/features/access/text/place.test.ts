import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { groupNameFor, groupsOf } from './groups.ts';
import { placeAt } from './place.ts';

/** The place of the bar in the text, which is taken out before anybody looks. */
function at(text: string) {
  const place = placeAt(text.replace('|', ''), text.indexOf('|'));
  return place && { path: place.path.join('/'), name: place.is_name, text: place.written?.text };
}

describe('the cursor position in a policy', () => {
  it('is found by its path, also in an incomplete document', () => {
    const value = (path: string, text?: string) => ({ path, name: false, text });
    assert.deepEqual(at('{"grants": [{"from": "dev|"}]}'), value('grants/0/from', 'dev'));
    assert.deepEqual(at('{"grants": [{}, {"allow": ["tcp:22", "|'), value('grants/1/allow/1', ''));
    assert.deepEqual(at('{"grants": [{"allow": ["tcp:22", |'), value('grants/0/allow/1'));
    assert.deepEqual(at('{"groups": {"dev": ["tag:role:|"], "b": []}}'), value('groups/dev/0', 'tag:role:'));
    assert.deepEqual(at('{"stale": "|\n}'), value('stale', ''));
    assert.deepEqual(at('{"stale": |}'), value('stale'));
  });

  it('may be a name', () => {
    assert.deepEqual(at('{"gr|"}'), { path: '', name: true, text: 'gr' });
    assert.deepEqual(at('{"grants": [{"from": "a", |}]}'), { path: 'grants/0', name: true, text: undefined });
    assert.deepEqual(at('{ // "from": "x"\n |'), { path: '', name: true, text: undefined });
  });

  it('is found behind a missing comma or colon, and in a word without quotes', () => {
    assert.deepEqual(at('{"grants": [{"from": "a" |}]}'), { path: 'grants/0', name: true, text: undefined });
    assert.deepEqual(at('{"grants": [{"from": "a"\n"t|"}]}'), { path: 'grants/0', name: true, text: 't' });
    assert.deepEqual(at('{"grants": [{"when": {"tag": "a"} |}]}'), { path: 'grants/0', name: true, text: undefined });
    assert.deepEqual(at('{"stale" |}'), { path: 'stale', name: false, text: undefined });
    assert.deepEqual(at('{gr|ants'), { path: '', name: true, text: 'grants' });
    assert.deepEqual(at('{"grants": [{"to": 10.2.0|.0/16'), { path: 'grants/0/to', name: false, text: '10.2.0.0/16' });
    assert.equal(at('{"stale"|: "keep"}'), undefined);
  });

  it('does not depend on what follows', () => {
    assert.deepEqual(at('{"grants": [{"to": "|"\n], "tests": [{"from": "a"}]}'), {
      path: 'grants/0/to',
      name: false,
      text: '',
    });
    assert.deepEqual(at('{"stale": |\n "grants": []}'), { path: 'stale', name: false, text: undefined });
  });

  it('is looked for only as deep as policies go', () => {
    for (const nested of ['['.repeat(10_000), '[},'.repeat(10_000), '{"a":'.repeat(10_000)]) {
      assert.equal(placeAt(nested, nested.length), undefined);
      assert.equal(at(`{"stale": "|", "a": ${nested}`)?.path, 'stale');
      assert.deepEqual([...groupsOf(`{"groups": {"dev": []}, "a": ${nested}`)], [['dev', []]]);
    }
  });

  it('is nowhere outside of the document', () => {
    assert.equal(at('| {}'), undefined);
    assert.equal(at('{}|'), undefined);
    assert.equal(at('|'), undefined);
  });
});

describe('groups of a text', () => {
  it('are read although it is not finished, and comments do not count', () => {
    const text = '{ /* "groups": {} */ "groups": { "dev": ["tag:role:dev", // "no"\n "node:a"], "all": ["*"';
    assert.deepEqual(
      [...groupsOf(text)],
      [
        ['dev', ['tag:role:dev', 'node:a']],
        ['all', ['*']],
      ],
    );
    assert.equal(groupsOf('').size, 0);
  });

  it('get names that a group can have', () => {
    assert.equal(groupNameFor('tag:role:dev', new Set()), 'role-dev');
    assert.equal(groupNameFor('node:git-1', new Set(['git-1'])), 'git-1-2');
    assert.equal(groupNameFor('scope:platform/git/*', new Set()), 'platform-git-all');
  });
});
