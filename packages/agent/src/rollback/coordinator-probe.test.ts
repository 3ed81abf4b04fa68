import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { reachesCoordinator } from './coordinator-probe.ts';

const timeout_ms = 1000;

async function listening() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, close: () => new Promise((resolve) => server.close(resolve)) };
}

test('a coordinator that listens is reached, and so is a machine where none does', async () => {
  const { url, close } = await listening();
  assert.equal(await reachesCoordinator({ urls: [url], known: ['127.0.0.1'], timeout_ms }), true);
  await close();
  assert.equal(await reachesCoordinator({ urls: [url], known: ['127.0.0.1'], timeout_ms }), true);
});

test('one that ends every connection is reached: packets come back', async () => {
  const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  assert.equal(await reachesCoordinator({ urls, known: [], timeout_ms }), true);
  server.close();
});

test('one of several is enough', async () => {
  const { url, close } = await listening();
  const urls = ['http://127.0.0.2:1', url];
  assert.equal(await reachesCoordinator({ urls, known: ['127.0.0.1'], timeout_ms }), true);
  assert.equal(await reachesCoordinator({ urls: urls.slice(0, 1), known: ['127.0.0.1'], timeout_ms }), false);
  await close();
});

test('a name that leads elsewhere than before is no way', async () => {
  const { port, close } = await listening();
  const named = { urls: [`http://localhost:${port}`], timeout_ms };
  assert.equal(await reachesCoordinator({ ...named, known: [] }), true);
  assert.equal(await reachesCoordinator({ ...named, known: ['198.51.100.7'] }), false);
  await close();
});
