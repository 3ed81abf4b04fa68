import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { OPERATION_IDS, OPERATIONS, type Operation } from '@meshwork/contract';
import { curlOf, jsonHtml } from './example.ts';

/** What a real shell makes of a command: the arguments that curl would get. */
function argumentsOf(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { MESH_URL: 'http://mesh.test', MESH_TOKEN: 'secret' };
  return execFileSync('/bin/sh', ['-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

for (const id of OPERATION_IDS) {
  const operation: Operation = OPERATIONS[id];
  test(`the curl command of ${id} sends just that request`, () => {
    const given = argumentsOf(curlOf(operation));
    const after = (flag: string) => given[given.indexOf(flag) + 1] ?? '';
    const url = new URL(given.find((argument) => argument.startsWith('http://mesh.test/')) ?? '');
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => operation.example.params?.[name] ?? '');
    assert.equal(url.pathname, path);
    const query = Object.entries(operation.example.query ?? {}).map(([name, value]) => [name, String(value)]);
    assert.deepEqual([...url.searchParams], query);
    assert.equal(given.includes('Authorization: Bearer secret'), operation.permission !== null);
    const method = given.includes('-X') ? after('-X') : given.includes('-d') ? 'POST' : 'GET';
    assert.equal(method, operation.method);
    if (operation.body !== undefined) assert.deepEqual(JSON.parse(after('-d')), operation.example.body);
  });
}

test('a quote in a body does not end the argument', () => {
  const operation: Operation = {
    ...OPERATIONS['tokens.create'],
    example: { body: { name: `it's "$HOME" \\ \`id\`` } },
  };
  assert.deepEqual(JSON.parse(argumentsOf(curlOf(operation)).at(-1) ?? ''), operation.example.body);
});

test('a POST without a body is still a POST', () => {
  const { body: _, ...bodiless } = OPERATIONS['audit.verify'];
  assert.deepEqual(argumentsOf(curlOf({ ...bodiless, example: {} })).slice(0, 2), ['-X', 'POST']);
});

test('an example answer reads as JSON once the tags are gone, and hides no markup', () => {
  const value = { empty: {}, none: [], list: [1, null, { deep: '<b>"&' }], text: 'a\nb', flag: true };
  const { text } = jsonHtml(value);
  const shown = text
    .replace(/<\/?span[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
  assert.equal(shown, JSON.stringify(value, null, 2));
  assert.doesNotMatch(text, /<b>/);
});
