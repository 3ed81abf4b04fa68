/** The large documents that anyone may fetch: small on the wire, cached, and limited. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { TestCoordinator } from '../../test/harness.ts';

interface Got {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
}

function fetchRaw(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: false }, async (answer) => {
      const pieces: Buffer[] = [];
      for await (const piece of answer) pieces.push(piece as Buffer);
      resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(pieces) });
    });
    asked.on('error', reject).end();
  });
}

describe('documents for everyone', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  for (const path of ['/docs', '/v1/openapi.json']) {
    it(`${path} is compressed as the client takes it, and the same in every form`, async () => {
      mesh.clock.advance(60);
      const plain = await fetchRaw(mesh.url + path);
      assert.equal(plain.headers['content-encoding'], undefined);
      const forms = { br: brotliDecompressSync, gzip: gunzipSync };
      const tags = new Set([plain.headers.etag]);
      for (const [encoding, decompress] of Object.entries(forms)) {
        const got = await fetchRaw(mesh.url + path, { 'accept-encoding': encoding });
        assert.equal(got.headers['content-encoding'], encoding);
        assert.equal(got.headers['content-length'], String(got.bytes.length));
        assert.ok(got.bytes.length * 5 < plain.bytes.length, `${got.bytes.length} of ${plain.bytes.length} bytes`);
        assert.ok(decompress(got.bytes).equals(plain.bytes));
        assert.match(String(got.headers['cache-control']), /^public, max-age=\d+$/);
        assert.equal(got.headers.vary, 'accept-encoding');
        tags.add(got.headers.etag);
      }
      assert.equal(tags.size, 3);
    });

    it(`${path} is not sent again to who has it, and its head is that of the whole`, async () => {
      mesh.clock.advance(60);
      const headers = { 'accept-encoding': 'br' };
      const got = await fetchRaw(mesh.url + path, headers);
      const again = await fetchRaw(mesh.url + path, { ...headers, 'if-none-match': `W/"x", ${got.headers.etag}` });
      assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, got.headers.etag]);
      const other = await fetchRaw(mesh.url + path, { ...headers, 'if-none-match': '"other"' });
      assert.equal(other.status, 200);
      const head = await fetchRaw(mesh.url + path, headers, 'HEAD');
      const named = ['content-length', 'content-type', 'content-encoding', 'etag', 'cache-control'];
      assert.deepEqual(
        named.map((name) => head.headers[name]),
        named.map((name) => got.headers[name]),
      );
      assert.equal(head.bytes.length, 0);
    });
  }

  it('are limited by address, while probes are not', async () => {
    using _still = mesh.clock.holdStill();
    mesh.clock.advance(60);
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 40; count++) statuses.push((await fetchRaw(`${mesh.url}/docs`, {}, 'HEAD')).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429]);
    for (let count = 0; count < 40; count++) assert.equal((await fetchRaw(`${mesh.url}/healthz`)).status, 200);
  });
});
