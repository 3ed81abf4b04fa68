import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { flood } from '@meshwork/service/testing';
import { TestCoordinator } from '../../test/harness.ts';

const JSON_TYPE = 'Content-Type: application/json';
/** As long as the longest body that is ever taken, and what is thrown away behind an answer. */
const BOUND_BYTES = 2 * 1024 * 1024;

describe('the body of a refused request', { concurrency: true }, () => {
  let mesh: TestCoordinator;
  let port: number;
  let viewer: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    port = Number(new URL(mesh.url).port);
    viewer = (await mesh.token({ role: 'viewer' })).secret;
  });
  after(() => mesh.close());

  const cases = {
    401: () => ['POST /v1/auth/roles HTTP/1.1', JSON_TYPE],
    403: () => ['POST /v1/auth/roles HTTP/1.1', JSON_TYPE, `Authorization: Bearer ${viewer}`],
    404: () => ['POST /nope HTTP/1.1', JSON_TYPE],
    413: () => ['POST /v1/auth/roles HTTP/1.1', JSON_TYPE, `Authorization: Bearer ${mesh.owner}`],
    415: () => ['POST /v1/auth/roles HTTP/1.1', 'Content-Type: text/x-odd', `Authorization: Bearer ${mesh.owner}`],
  };
  for (const [status, head] of Object.entries(cases)) {
    for (const [length, bytes] of Object.entries({ '10 MB': 10_000_000, endless: Number.POSITIVE_INFINITY })) {
      it(`is not read to its end: ${status}, ${length}`, async () => {
        const { answer, read_bytes } = await flood(port, [...head(), 'Host: x'], bytes);
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\r\\nconnection: close\\r\\n`, 'i'));
        assert.match(answer, /\r\n\r\n\{.*"status":\d+.*\}$/s, 'the whole answer');
        assert.ok(read_bytes < BOUND_BYTES, `${read_bytes} bytes were read`);
      });
    }
  }

  it('is not requested when the caller waits for 100 Continue, and the connection ends', async () => {
    const head = ['POST /v1/auth/roles HTTP/1.1', 'Host: x', JSON_TYPE, 'Expect: 100-continue'];
    const { answer } = await flood(port, head, 10_000_000);
    assert.match(answer, /^HTTP\/1\.1 401 /);
  });

  it('costs the connection nothing where it is short', async () => {
    const head = ['POST /v1/auth/roles HTTP/1.1', 'Host: x', JSON_TYPE];
    const first = [...head, 'Content-Length: 2', '', '{}'].join('\r\n');
    const [line = '', ...rest] = head;
    const { answer } = await flood(port, [first + line, ...rest, 'Connection: close'], 2);
    assert.equal(answer.split('HTTP/1.1 401 ').length - 1, 2, answer);
  });
});
