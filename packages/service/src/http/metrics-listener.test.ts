import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { listenForScrapes } from './metrics-listener.ts';

describe('the separate address for metrics', () => {
  it('serves them without credentials, and nothing else', async () => {
    let isBroken = false;
    const metrics = () => (isBroken ? Promise.reject(new Error('no')) : Promise.resolve('a 1\n'));
    const server = await listenForScrapes({ host: '127.0.0.1', port: 0 }, metrics);
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const got = await fetch(`${url}/metrics`);
      assert.deepEqual([got.status, await got.text()], [200, 'a 1\n']);
      assert.equal(got.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
      for (const path of ['/', '/v1/auth/whoami', '/metrics/x']) assert.equal((await fetch(url + path)).status, 404);
      assert.equal((await fetch(`${url}/metrics`, { method: 'POST' })).status, 404);
      isBroken = true;
      assert.equal((await fetch(`${url}/metrics`)).status, 500);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('says so when the address is taken', async () => {
    const first = await listenForScrapes({ host: '127.0.0.1', port: 0 }, () => Promise.resolve(''));
    const { port } = first.address() as AddressInfo;
    await assert.rejects(
      listenForScrapes({ host: '127.0.0.1', port }, () => Promise.resolve('')),
      { code: 'EADDRINUSE' },
    );
    first.close();
  });
});
