import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WafTestRequest } from '@meshwork/contract';
import { firstDraft, headersProblem, pathOf, requestOf, withExample } from './bench-draft.ts';
import { ATTACKS, BENIGN } from './examples.ts';

const draft = firstDraft('git.example.net');

const { method, host, uri, address, headers } = WafTestRequest.properties;
const { name, value } = headers.items.properties;
const patternOf = (schema: object) => new RegExp('pattern' in schema ? String(schema.pattern) : '^$');
const PATTERNS = {
  ...{ method: patternOf(method), host: patternOf(host), uri: patternOf(uri), address: patternOf(address) },
  ...{ name: patternOf(name), value: patternOf(value) },
};

test('every example makes a request that the API takes', () => {
  for (const { label } of [...ATTACKS, ...BENIGN]) {
    const request = requestOf(withExample(draft, label));
    for (const field of ['method', 'host', 'uri', 'address'] as const)
      assert.match(request[field], PATTERNS[field], label);
    for (const { name, value } of request.headers) {
      assert.match(name, PATTERNS.name, label);
      assert.match(value, PATTERNS.value, label);
    }
  }
});

test('what is typed as it is read is encoded, and the rest stays', () => {
  const request = requestOf({ ...draft, method: 'get', host: 'Git.Example.net', uri: "/a b?q='ü'%20" });
  assert.deepEqual([request.method, request.host, request.uri], ['GET', 'git.example.net', "/a%20b?q='%C3%BC'%20"]);
});

test('headers are lines, and one that is none is named', () => {
  const headers = 'X-Env: prod\n\n  Content-Type:application/json\nX-Empty:';
  assert.deepEqual(requestOf({ ...draft, headers }).headers, [
    { name: 'X-Env', value: 'prod' },
    { name: 'Content-Type', value: 'application/json' },
    { name: 'X-Empty', value: '' },
  ]);
  assert.equal(headersProblem(headers), null);
  assert.match(headersProblem('X-Env: prod\nnonsense') ?? '', /“nonsense” is no header/);
});

test('the path of an exclusion has no query', () => {
  assert.deepEqual(['/a/b?q=1', '/a', '/?x#y'].map(pathOf), ['/a/b', '/a', '/']);
});

test('a request without a body has none', () => {
  assert.equal(requestOf({ ...draft, body: '' }).body, null);
  assert.equal(requestOf({ ...draft, body: 'a=1' }).body, 'a=1');
});
