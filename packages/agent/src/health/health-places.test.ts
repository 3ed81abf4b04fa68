import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Namespace, namespace, until } from '../../test/namespaces.ts';

const CHILD = join(import.meta.dirname, '..', '..', 'test', 'health-places-child.ts');

/** Where something listens on the port, in order. */
async function listeners(place: Namespace): Promise<string[]> {
  const lines = (await place.run('ss', ['-tlnH', 'sport = :8080'])).trim().split('\n').filter(Boolean);
  return lines.map((line) => line.split(/\s+/)[3]?.replace(/:8080$/, '') ?? '').sort();
}

async function untilAt(place: Namespace, ...hosts: string[]): Promise<void> {
  let found: string[] = [];
  await until(`health is served at ${hosts.join(', ')}`, async () => {
    found = await listeners(place);
    return found.join() === hosts.toSorted().join();
  });
}

test('health is served on loopback from the start, and in the mesh as soon as the node has an address there', async () => {
  await using place = await namespace();
  const child = place.spawn(process.execPath, [CHILD]);
  const ended = once(child, 'exit');
  const follow = (...addresses: string[]) => child.stdin?.write(`${JSON.stringify(addresses)}\n`);
  await untilAt(place, '127.0.0.1', '[::1]');

  follow('100.64.0.7', 'fd6d::7');
  await place.ip('link add mesh0 type veth peer name other', 'link set mesh0 up');
  await place.ip('address add 100.64.0.7/32 dev mesh0', 'address add fd6d::7/128 dev mesh0 nodad');
  await untilAt(place, '100.64.0.7', '127.0.0.1', '[::1]', '[fd6d::7]');
  const answer = await place.run('curl', ['-sS', 'http://100.64.0.7:8080/healthz']);
  assert.deepEqual(JSON.parse(answer), { status: 'ok' });

  follow('100.64.0.8', 'fd6d::7');
  await place.ip('address add 100.64.0.8/32 dev mesh0');
  await untilAt(place, '100.64.0.8', '127.0.0.1', '[::1]', '[fd6d::7]');

  child.stdin?.end();
  assert.deepEqual(await ended, [0, null]);
});

test('a port that another program has in the mesh is no reason to end, and is taken when it is free', async () => {
  await using place = await namespace();
  await place.ip(
    'link add mesh0 type veth peer name other',
    'link set mesh0 up',
    'address add 100.64.0.7/32 dev mesh0',
  );
  const other = place.script(`import { createServer } from 'node:net'; createServer().listen(8080, '100.64.0.7');`);
  await untilAt(place, '100.64.0.7');
  const child = place.spawn(process.execPath, [CHILD]);
  child.stdin?.write(`${JSON.stringify(['100.64.0.7'])}\n`);
  await untilAt(place, '100.64.0.7', '127.0.0.1', '[::1]');
  other.kill('SIGKILL');
  await until('the agent has the port', async () => {
    return (await place.run('curl', ['-sS', 'http://100.64.0.7:8080/healthz'])).includes('ok');
  });
});

test('where a host is named, health is served there and nowhere else', async () => {
  await using place = await namespace();
  const child = place.spawn('env', ['MESH_HEALTH_LISTEN=127.0.0.9:8080', process.execPath, CHILD]);
  child.stdin?.write(`${JSON.stringify(['127.0.0.7'])}\n`);
  await untilAt(place, '127.0.0.9');
  child.stdin?.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});
