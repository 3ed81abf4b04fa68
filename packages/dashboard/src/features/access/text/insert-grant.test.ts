import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { insertGrant } from './insert-grant.ts';

const grant = { from: 'developers', to: 'git', allow: ['tcp:22'] };
const line = '{ "from": "developers", "to": "git", "allow": ["tcp:22"] }';

function added(text: string, groups: Record<string, readonly string[]> = {}): string | undefined {
  const insertions = insertGrant(text, { grant, groups });
  return insertions?.reduceRight((all, { from, insert }) => all.slice(0, from) + insert + all.slice(from), text);
}

/** Comments and a comma too many taken away, it is JSON. */
function read(text: string | undefined): unknown {
  assert.ok(text !== undefined);
  return JSON.parse(text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '').replace(/,(\s*[\]}])/g, '$1'));
}

describe('adding a grant', () => {
  it('puts it behind the last one, and leaves every comment where it was', () => {
    const text = `{
  // who
  "groups": { "git": ["tag:role:git"] },
  "grants": [
    { "from": "a", "to": "b", "allow": ["*"] } // until spring
    // "grants": [] is what we had before
  ],
}
`;
    const now = added(text);
    assert.equal(now, text.replace('["*"] }', '["*"] },').replace('we had before\n', `we had before\n    ${line},\n`));
  });

  it('does so where the list is on one line, is empty, or is not there', () => {
    assert.equal(added('{"grants": [{"from": "a"}]}'), `{"grants": [{"from": "a"}, ${line}]}`);
    assert.equal(added('{"grants": [{"from": "a"},]}'), `{"grants": [{"from": "a"}, ${line}]}`);
    assert.equal(added('{"grants": [{"from": "a"} /* b, c */,]}'), `{"grants": [{"from": "a"} /* b, c */, ${line}]}`);
    assert.equal(added('{\n  "grants": []\n}'), `{\n  "grants": [\n    ${line},\n  ]\n}`);
    for (const text of ['{}', '{\n}', '{"stale": "keep"}', '{\n  "stale": "keep"\n}', '{ // none\n}', '']) {
      assert.deepEqual((read(added(text)) as { grants: unknown }).grants, [grant], text);
    }
  });

  it('adds the groups that it needs, beside those that are there', () => {
    const needed = { developers: ['tag:role:dev'], git: ['node:git-1'] };
    for (const text of [
      '{"groups": {"all": ["*"]}, "grants": []}',
      '{\n  "groups": {\n    "all": ["*"], // everybody\n  },\n  "grants": [],\n}',
      '{"groups": {"all": ["*"]}}',
    ]) {
      const now = added(text, needed);
      assert.deepEqual(read(now), { groups: { all: ['*'], ...needed }, grants: [grant] }, text);
    }
    for (const text of ['', '{}', '{\n  "stale": "keep" // for now\n}']) {
      const { groups, grants } = read(added(text, needed)) as Record<string, unknown>;
      assert.deepEqual([groups, grants], [needed, [grant]], text);
    }
  });

  it('does nothing to a text with a syntax error, which may hide where its entries belong', () => {
    for (const text of ['{"groups" {"a": []}, "grants": []}', '{"grants": [a]}', `{"a": ${'['.repeat(10_000)}`]) {
      assert.equal(insertGrant(text, { grant, groups: {} }), undefined, text.slice(0, 40));
    }
  });

  it('does nothing to a text that is not finished, or that is no policy', () => {
    for (const text of ['{"grants": [', '[]', '{"grants": {}}', '{"grants": ["a"', '"grants"']) {
      assert.equal(insertGrant(text, { grant, groups: {} }), undefined, text);
    }
  });
});
