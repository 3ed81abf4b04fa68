import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../../test/new-folder.ts';
import { kernelSpellings, type Listener, listenersOf, parseListeners, withHealth } from './services.ts';

/** 127.0.0.2 stands for an address of the mesh: no test may give the machine another one. */
const MESH = '127.0.0.2';

async function tcp(host: string) {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { port, [Symbol.dispose]: () => void server.close() };
}

async function udp(type: 'udp4' | 'udp6', host: string) {
  const socket = createSocket(type).bind(0, host);
  await once(socket, 'listening');
  return { port: socket.address().port, [Symbol.dispose]: () => void socket.close() };
}

const healthOf = (
  services: readonly (readonly ['tcp' | 'udp', number])[],
  listeners: readonly Listener[],
  addresses: string[],
) =>
  withHealth(
    services.map(([protocol, port]) => ({ name: 'x', protocol, port })),
    listeners,
    addresses,
  ).map(({ health }) => health);

test('what listens everywhere or on an address of the mesh serves it; what listens for the machine itself does not', async () => {
  using everywhere = await tcp('0.0.0.0');
  using everywhere6 = await tcp('::');
  using inMesh = await tcp(MESH);
  using loopback = await tcp('127.0.0.1');
  using datagrams = await udp('udp4', '0.0.0.0');
  using datagrams6 = await udp('udp6', '::1');
  const services = [
    ['tcp', everywhere.port],
    ['tcp', everywhere6.port],
    ['tcp', inMesh.port],
    ['tcp', loopback.port],
    ['udp', datagrams.port],
    ['udp', datagrams6.port],
    ['udp', everywhere.port],
  ] as const;
  const listeners = await listenersOf();
  const [good, bad] = ['passing', 'failing'];
  assert.deepEqual(healthOf(services, listeners, [MESH]), [good, good, good, bad, good, bad, bad]);
  assert.deepEqual(healthOf(services, listeners, ['::1']), [good, good, bad, bad, good, good, bad]);
});

test('a connection is no listener', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 00000000:0016 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1',
    '   1: 07004064:01BB 08004064:C350 01 00000000:00000000 00:00000000 00000000     0        0 2 1',
    '  10: 0000000000000000FFFF00000100007F:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 3 1',
  ].join('\n');
  assert.deepEqual(parseListeners('tcp', table), [
    { protocol: 'tcp', address: '00000000', port: 22 },
    { protocol: 'tcp', address: '0000000000000000FFFF00000100007F', port: 80 },
  ]);
});

test('addresses are spelled as the kernel does', () => {
  assert.deepEqual(kernelSpellings('100.64.0.7'), ['07004064', '0000000000000000FFFF000007004064']);
  assert.deepEqual(kernelSpellings('::1'), ['00000000000000000000000001000000']);
  assert.deepEqual(kernelSpellings('fd00:1:2:3:4:5:6:7'), ['010000FD030002000500040007000600']);
});

test('a kernel without IPv6 has fewer tables, and they are read all the same', async () => {
  using server = await tcp('0.0.0.0');
  await using folder = await newFolder();
  for (const name of ['tcp', 'udp']) await writeFile(join(folder.path, name), await readFile(`/proc/net/${name}`));
  assert.deepEqual(healthOf([['tcp', server.port]], await listenersOf(folder.path), []), ['passing']);
});
