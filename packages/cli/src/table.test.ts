import assert from 'node:assert/strict';
import { test } from 'node:test';
import { table } from './table.ts';
import { columnsOf, printable } from './terminal-text.ts';

test('nothing that a terminal would obey is left in a text', () => {
  assert.equal(printable('\u001b[31mred\u001b[0m \u001b]0;title\u0007x'), 'red x');
  assert.equal(printable('a\u009b2Jb\u0000\u0008c\u007f'), 'abc');
  assert.equal(printable('line\r\nbreak\ttab\u2028end'), 'line break tab end');
  assert.equal(printable('user\u202egpj.exe\u2066\u200f'), 'usergpj.exe');
  assert.equal(printable('half \ud800'), 'half \ufffd');
  assert.equal(printable('naïve 日本 👩‍👩‍👧'), 'naïve 日本 👩‍👩‍👧');
});

test('the columns of wide, joined and combining characters are counted as terminals show them', () => {
  const known = { abc: 3, 日本: 4, ｱｲ: 2, 한글: 4, 'e\u0301': 1, '🦊': 2, '👩‍👩‍👧': 2, '✔️': 2, é: 1, '🇪🇺': 2 };
  for (const [text, columns] of Object.entries(known)) assert.equal(columnsOf(text), columns, text);
});

test('columns stay aligned under wide names, and nothing trails', () => {
  const rows = [
    ['1', '日本', 'x'],
    ['22', 'plain', ''],
  ];
  assert.equal(
    table(['ID', 'NAME', 'END'], rows, (text) => text.toLowerCase()),
    ['id  name   end', '1   日本   x', '22  plain'].join('\n'),
  );
});
