import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemLines } from './source-problems.ts';
import { columnsOf } from './terminal-text.ts';

const at = (line: number, column: number, detail = 'Odd.') => ({ pointer: '/x', detail, line, column });

test('a problem has its place, its line and a caret below it', () => {
  const text = '{\n  "groups": {},\n  "grants": [{ "from": "develpers" }]\n}\n';
  const detail = 'There is no group "develpers". Did you mean "developers"?';
  assert.deepEqual(problemLines({ name: 'policy.jsonc', text }, [at(3, 24, detail), at(1, 1)]), [
    'policy.jsonc:3:24  There is no group "develpers". Did you mean "developers"?',
    '      "grants": [{ "from": "develpers" }]',
    '                           ^',
    'policy.jsonc:1:1  Odd.',
    '    {',
    '    ^',
  ]);
});

test('the caret stands below its character after tabs, wide characters, a mark and other line ends', () => {
  const lines = ['\ufeff{ x', '\t\t"a": 1', '"日本": x', 'end'];
  for (const end of ['\n', '\r\n', '\r']) {
    const source = { name: 'p', text: lines.join(end) };
    for (const [place, line] of [
      [at(1, 3), '{ x'],
      [at(2, 3), '    "a": 1'],
      [at(2, 8), '    "a": 1'],
      [at(3, 7), '"日本": x'],
      [at(4, 4), 'end'],
    ] as const) {
      const [, shown, caret = ''] = problemLines(source, [place]);
      const before = lines[place.line - 1]?.replace('\ufeff', '').slice(0, place.column - 1) ?? '';
      assert.equal(shown, `    ${line}`);
      assert.equal(caret.indexOf('^'), 4 + columnsOf(before.replaceAll('\t', '  ')));
    }
  }
});

test('a line that is too long is shown around its place', () => {
  const text = `${'a'.repeat(5000)}HERE${'b'.repeat(5000)}`;
  const [, shown = '', caret = ''] = problemLines({ name: 'p', text }, [at(1, 5001)]);
  assert.ok(columnsOf(shown) <= 80, shown);
  assert.equal(shown.slice(caret.indexOf('^')).slice(0, 4), 'HERE');
  const [, start = '', below = ''] = problemLines({ name: 'p', text }, [at(1, 3)]);
  assert.ok(columnsOf(start) <= 80, start);
  assert.equal(below, '      ^');
});

test('what has no place, or one that is not there, is said without a line, and nothing commands the terminal', () => {
  const source = { name: 'p', text: '\u001b[2Jx' };
  assert.deepEqual(problemLines(source, [{ pointer: '/tests/0', detail: 'fails' }, at(9, 9)]), [
    'p  /tests/0  fails',
    'p:9:9  Odd.',
  ]);
  assert.deepEqual(problemLines(source, [at(1, 5)]), ['p:1:5  Odd.', '    x', '    ^']);
});
