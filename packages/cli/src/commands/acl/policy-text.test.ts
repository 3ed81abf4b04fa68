import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS, type Policy, type PolicyWarning } from '@meshwork/contract';
import { checkText } from './check-text.ts';
import { changeWords, lapsedWords, versionWords } from './policy-words.ts';
import { previewText } from './preview-text.ts';
import { validationText } from './validation-text.ts';

const policy: Policy = OPERATIONS['acls.show'].example.answer;
const node = { id: 'node_01jcqv5y2fe9rs6w4m1x8k3b7t' };
const failed = { test: 1, from: 'laptop-3', to: 'git-1:tcp:22', expected: 'allow' as const, detail: 'No grant does.' };

test('a preview is a flow a line, and who would notice', () => {
  const opened = [
    { from: 'developers', to: 'git-servers', allow: 'tcp:22', pairs: 12 },
    { from: 'ops', to: '10.20.0.0/16', allow: '*', pairs: 1 },
  ];
  const closed = [{ from: 'everybody', to: 'db', allow: 'tcp:5432', pairs: 0 }];
  const nodes = Array.from({ length: 7 }, (_, index) => ({ ...node, name: `n-${index}` }));
  assert.equal(
    previewText({ opened, closed, nodes_touched: 1200, nodes, failed_tests: [] }),
    `opens   developers -> git-servers  tcp:22    12 pairs
opens   ops -> 10.20.0.0/16        *         1 pair
closes  everybody -> db            tcp:5432  0 pairs
1200 nodes would change: n-0, n-1, n-2, n-3, n-4 and 1195 more`,
  );
});

test('a preview of nothing, and of what would be refused', () => {
  assert.equal(
    previewText({ opened: [], closed: [], nodes_touched: 0, nodes: [], failed_tests: [failed] }),
    `access does not change
no node would change
It would be refused, because these tests fail:
tests[1]  laptop-3 must reach git-1:tcp:22. No grant does.`,
  );
});

const warning: PolicyWarning = {
  pointer: '',
  tag: 'role:dba',
  detail: '7 nodes outside team beta carry the tag role:dba.',
  count: 7,
  nodes: Array.from({ length: 7 }, (_, index) => ({ ...node, kind: 'node' as const, name: `n-${index}` })),
};

test('a preview and a validation warn of tags that get a meaning', () => {
  const line = 'warning: 7 nodes outside team beta carry the tag role:dba: n-0, n-1, n-2, n-3, n-4 and 2 more';
  const nothing = { opened: [], closed: [], nodes_touched: 0, nodes: [], failed_tests: [] };
  assert.equal(
    previewText({ ...nothing, warnings: [warning] }),
    `access does not change\nno node would change\n${line}`,
  );
  const valid = { valid: true, problems: [], failed_tests: [], warnings: [warning] };
  assert.equal(validationText({ name: 'p.jsonc', text: '' }, valid), `${line}\np.jsonc is valid`);
});

test('a check says what it is about, why, and what to do', () => {
  assert.equal(checkText({ findings: [] }), 'every tag, name and host name could be set by its own boundary');
  const { findings } = OPERATIONS['acls.check'].example.answer;
  assert.equal(
    checkText({ findings }),
    `tag role:dba  1 node of platform / git / production: git-1
  The tag "role:dba" may be set by team beta (tag_owners) or by a mesh-wide token.
  Add "scope:platform/git/production" to "tag:role:dba" in tag_owners, or take the tag off the node.

1 finding; nothing has to change now: what is set stays as it is`,
  );
});

test('a validation names every problem and every test', () => {
  const source = { name: 'p.jsonc', text: '{ "a": 1 }' };
  const problems = [{ pointer: '/a', detail: 'There is no "a".', line: 1, column: 3 }];
  const deny = { ...failed, expected: 'deny' as const, detail: 'A grant does.' };
  assert.equal(
    validationText(source, { valid: false, problems, failed_tests: [failed, deny] }),
    `p.jsonc:1:3  There is no "a".
    { "a": 1 }
      ^
tests[1]  laptop-3 must reach git-1:tcp:22. No grant does.
tests[1]  laptop-3 must not reach git-1:tcp:22. A grant does.
p.jsonc is not valid: 1 problem, 2 failed tests`,
  );
  assert.equal(validationText(source, { valid: true, problems: [], failed_tests: [] }), 'p.jsonc is valid');
});

test('a version says who wrote it, when and why, and a change what became of it', () => {
  assert.match(
    versionWords({ ...policy, restored_from: 1 }),
    /^version 3, by ops, 2026-11-15T09:30:00Z \(.+\), restored from version 1: developers may reach git$/,
  );
  const first = { ...policy, version: 0, created_at: null, created_by: null, note: null };
  assert.equal(versionWords(first), 'version 0, default of a new mesh');
  assert.equal(changeWords(2, policy), 'version 3 is in effect: 3 groups, 1 grant');
  assert.equal(changeWords(3, policy), 'nothing changed: version 3 has this text already');
  assert.equal(lapsedWords(policy), undefined);
  const lapsed = 'expired, without effect: grants[0] (developers -> git-servers)';
  assert.equal(lapsedWords({ ...policy, lapsed: [0] }), lapsed);
});
