import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { namespace } from '../../test/namespaces.ts';
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

/** Says so once all of them listen. */
const LISTENING = `import { createSocket } from 'node:dgram';
  import { once } from 'node:events';
  import { createServer } from 'node:net';
  const hosts = ['0.0.0.0', '::', '${MESH}', '127.0.0.1'];
  const servers = hosts.map((host, index) => createServer().listen(1001 + index, host));
  const sockets = [createSocket('udp4').bind(1005, '0.0.0.0'), createSocket('udp6').bind(1006, '::1')];
  await Promise.all([...servers, ...sockets].map((each) => once(each, 'listening')));
  console.log('listening');`;

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
  // In a network of its own: on the machine's, a port that should be free may be in use.
  await using place = await namespace();
  const { stdout } = place.script(LISTENING);
  await once(stdout ?? assert.fail(), 'data');
  const services = [
    ['tcp', 1001],
    ['tcp', 1002],
    ['tcp', 1003],
    ['tcp', 1004],
    ['udp', 1005],
    ['udp', 1006],
    ['udp', 1001],
  ] as const;
  const listeners = await listenersOf(`/proc/${place.pid}/net`);
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
  assert.deepEqual(healthOf([['tcp', server.port]], await listenersOf(), []), ['passing']);
  await using folder = await newFolder();
  for (const name of ['tcp', 'udp']) await writeFile(join(folder.path, name), await readFile(`/proc/net/${name}`));
  assert.deepEqual(healthOf([['tcp', server.port]], await listenersOf(folder.path), []), ['passing']);
});
