import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { flood } from '@meshwork/service/testing';
import { TestPanel } from '../../test/harness.ts';
import { rawRequest } from '../../test/raw-request.ts';

const JSON_TYPE = 'Content-Type: application/json';
/** More than the longest body that is taken, and what is thrown away behind an answer. */
const BOUND_BYTES = 2 * 1024 * 1024;

describe('the body of a request that the panel refuses', { concurrency: true }, () => {
  let panel: TestPanel;
  before(async () => {
    panel = await TestPanel.start();
  });
  after(() => panel.close());

  const ours = () => [`Host: ${new URL(panel.url).host}`, `Origin: ${panel.url}`];
  const cases = {
    401: () => ['POST /api/v1/users HTTP/1.1', JSON_TYPE, ...ours()],
    403: () => [
      'POST /api/v1/users HTTP/1.1',
      JSON_TYPE,
      `Host: ${new URL(panel.url).host}`,
      'Origin: http://evil.test',
    ],
    404: () => ['POST /api/v1/nope HTTP/1.1', JSON_TYPE, ...ours()],
    413: () => ['POST /api/v1/auth/login HTTP/1.1', JSON_TYPE, ...ours()],
    415: () => ['POST /api/v1/auth/login HTTP/1.1', 'Content-Type: text/x-odd', ...ours()],
  };
  for (const [status, head] of Object.entries(cases)) {
    for (const [length, bytes] of Object.entries({ '10 MB': 10_000_000, endless: Number.POSITIVE_INFINITY })) {
      it(`is not read to its end: ${status}, ${length}`, async () => {
        const { answer, read_bytes } = await flood(panel.port, head(), bytes);
        assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*\\r\\nconnection: close\\r\\n`, 'i'));
        assert.match(answer, /\r\n\r\n\{.*"status":\d+.*\}$/s, 'the whole answer');
        assert.ok(read_bytes < BOUND_BYTES, `${read_bytes} bytes were read`);
      });
    }
  }

  it('is asked for only behind the gate', async () => {
    const body = JSON.stringify({ name: 'unknown', password: 'x' });
    const expecting = ['Expect: 100-continue', JSON_TYPE, ...ours()];
    const { answer } = await flood(panel.port, ['POST /api/v1/users HTTP/1.1', ...expecting], 10_000_000);
    assert.match(answer, /^HTTP\/1\.1 401 /);
    const head = ['POST /api/v1/auth/login HTTP/1.1', ...expecting, `Content-Length: ${body.length}`];
    const { text } = await rawRequest(panel.url, head, body);
    assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 4\d\d /);
    const odd = await rawRequest(panel.url, ['GET /healthz HTTP/1.1', ...ours(), 'Expect: a-miracle']);
    assert.equal(odd.status, 400);
  });
});
