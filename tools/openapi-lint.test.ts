import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintOpenApi } from './openapi-lint.ts';

const sound = {
  openapi: '3.1.0',
  info: { title: 'Nodes', version: '1.0.0', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
  servers: [{ url: 'http://127.0.0.1:7400' }],
  security: [],
  paths: {
    '/v1/nodes': {
      get: {
        operationId: 'list_nodes',
        summary: 'List nodes',
        responses: { 200: { description: 'The nodes.' }, 401: { description: 'No valid credentials.' } },
      },
    },
  },
};

const lint = (document: object) => lintOpenApi(JSON.stringify(document), '/openapi.json');

test('a sound document has no problems', async () => {
  assert.deepEqual(await lint(sound), []);
});

test('an error names its place by JSON pointer', async () => {
  const problems = await lint({ ...sound, paths: { '/v1/nodes': { get: { responses: { 200: {} } } } } });
  assert.ok(
    problems.some((line) => line.startsWith('#/paths/~1v1~1nodes/get/responses/200 error struct: ')),
    problems.join('\n'),
  );
});

test('a warning counts as a problem too', async () => {
  const problems = await lint({ ...sound, info: { title: 'Nodes', version: '1.0.0' } });
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? '', /^#\/info\S* warn info-license: /);
});
