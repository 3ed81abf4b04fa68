import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERROR_CODES, ERRORS } from '../error-table.ts';
import { OPERATION_IDS } from '../operations.ts';
import { ALL_PERMISSIONS } from '../permissions.ts';
import { BUILT_IN_ROLES } from '../roles.ts';
import { generatedFiles } from './generate.ts';
import { table } from './markdown.ts';

const root = new URL('../../../../', import.meta.url);
/** The cells of every line that is a row of a table. */
const rowsIn = (text: string) =>
  text.split('\n').flatMap((line) =>
    line.startsWith('| ')
      ? [
          line
            .slice(2, -2)
            .split(' | ')
            .map((cell) => cell.trim()),
        ]
      : [],
  );
const contentOf = (path: string) => generatedFiles().find((file) => file.path === path)?.content ?? '';

for (const { path, content } of generatedFiles()) {
  test(`${path} in the repository is what the contract says (else: npm run generate)`, () => {
    assert.ok(readFileSync(new URL(path, root), 'utf8') === content, `${path} is not fresh`);
  });

  test(`${path} ends with a line end and names no place outside`, () => {
    assert.match(content, /[^\n]\n$/);
    // Names that are kept for examples (RFC 2606), and this machine, are no places.
    assert.doesNotMatch(content, /https?:\/\/(?!localhost[:/]|127\.0\.0\.1[:/]|(?:[\w-]+\.)*example\b)/);
  });
}

test('errors.md lists every code once, with its status and what to do', () => {
  const [, , ...rows] = rowsIn(contentOf('docs/api/errors.md'));
  const listed = rows.map(([code, status, , , , advice]) => [code, status, advice]);
  const expected = ERROR_CODES.map((code) => [`\`${code}\``, String(ERRORS[code].status), ERRORS[code].advice]);
  assert.deepEqual(listed, expected);
});

test('permissions.md says of every permission which roles have it', () => {
  const roles = Object.values<{ readonly permissions: readonly string[] }>(BUILT_IN_ROLES);
  const rows = rowsIn(contentOf('docs/api/permissions.md')).filter(({ length }) => length === 1 + roles.length);
  for (const permission of ALL_PERMISSIONS) {
    const marks = roles.map(({ permissions }) => (permissions.includes(permission) ? '✓' : ''));
    assert.deepEqual(
      rows.find(([first]) => first === `\`${permission}\``),
      [`\`${permission}\``, ...marks],
    );
  }
});

test('permissions.md names every operation once', () => {
  for (const id of OPERATION_IDS) {
    assert.equal(contentOf('docs/api/permissions.md').split(`\`${id}\``).length, 2, id);
  }
});

test('a bar inside a cell does not end the cell', () => {
  assert.equal(table(['a', 'b'], [['x|y', '']]), '| a    | b   |\n| ---- | --- |\n| x\\|y |     |');
});
