import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { cable, namespace, processesIn, until } from '../../../test/namespaces.ts';
import {
  asPeer,
  handshake,
  PORT,
  pair,
  setUp,
  type TestNode,
  testNode,
  untilPing,
} from '../../../test/wireguard-node.ts';
import { MESH, userspaceDriver } from '../../../test/wireguard-places.ts';
import { newWireguardKey } from '../../identity/keys.ts';
import { WireguardTunnel } from './wireguard-tunnel.ts';

it('outlives an agent that is killed, and the next one takes it over with its sessions', async () => {
  await using place = await namespace('k');
  await using two = await testNode(2, userspaceDriver);
  const key = newWireguardKey();
  const settings = { private_key: key.private, port: PORT, mark: 51 };
  // Only the second begins: were both to, a try of the first could come late, and be a session after the one that counts.
  const known = asPeer(two, { endpoints: [] });
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../test/wireguard-child.ts')], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const { enter, socket_folder, run_folder } = place;
  child.stdin.end(JSON.stringify({ enter, socket_folder, run_folder, settings, peers: [known] }));
  await once(child.stdout, 'data');
  const [daemon] = await processesIn(place, 'wireguard-go');
  await setUp(place, 1);
  await cable(place, two.place, ['192.0.2.1/24', '192.0.2.2/24']);
  const tunnel = new WireguardTunnel({ driver: await userspaceDriver(place) });
  const one: TestNode = { ...two, number: 1, place, key, tunnel, settings };
  await two.tunnel.setPeers([asPeer(one)]);
  await untilPing(two, one);
  const begun = await handshake(two, key.public);

  process.kill(-(child.pid ?? 0), 'SIGKILL'); // with all that belongs to it, as a terminal does
  await ended;
  await untilPing(two, one);
  await tunnel.open(settings);
  assert.deepEqual(await tunnel.setPeers([known]), new Map());
  await untilPing(two, one);
  assert.equal(await handshake(two, key.public), begun);
  assert.deepEqual(await processesIn(place, 'wireguard-go'), [daemon]);
});

it('reports its loss, also when an earlier agent started it, and is restored with everything on request', async () => {
  await using nodes = await pair(userspaceDriver);
  const { one, two } = nodes;
  await one.tunnel.setPeers([asPeer(two)]);
  await two.tunnel.setPeers([asPeer(one)]);
  await untilPing(one, two);
  // A second agent took over, whose child the daemon is not. Then one that started it itself.
  let lost = 0;
  const driver = await userspaceDriver(one.place, () => {
    lost += 1;
  });
  const tunnel = new WireguardTunnel({ driver });
  await tunnel.open(one.settings);
  await tunnel.setPeers([asPeer(two)]);
  for (const times of [1, 2]) {
    const [daemon = 0] = await processesIn(one.place, 'wireguard-go');
    process.kill(daemon, 'SIGKILL');
    await until('the loss is reported', async () => lost === times);
    assert.equal(await tunnel.drift(), 'the interface is gone');
    await access(join(one.place.socket_folder, `${MESH}.sock`)); // what it left behind is not in the way
    await tunnel.open(one.settings);
    await setUp(one.place, 1);
    assert.deepEqual(await tunnel.setPeers([asPeer(two)]), new Map());
    assert.equal(await tunnel.drift(), null);
    await untilPing(one, two);
    assert.ok(!(await processesIn(one.place, 'wireguard-go')).includes(daemon));
  }
  await tunnel.remove();
  await until('it has ended', async () => (await processesIn(one.place, 'wireguard-go')).length === 0);
  assert.equal(lost, 2);
});

it('says why it does not start', async () => {
  await using place = await namespace('x');
  await place.run('ip', ['link', 'add', 'dev', MESH, 'type', 'veth']);
  await assert.rejects((await userspaceDriver(place)).ensure(), /wireguard-go does not start: .*TUN device/);
});
