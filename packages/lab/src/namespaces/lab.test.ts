import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { newLabName } from '../../test/lab-names.ts';
import { Prober } from '../../test/lab-prober.ts';
import { tracesOf } from '../../test/lab-traces.ts';
import { until } from '../../test/until.ts';
import { DOOR_URL } from './keeper/door-addresses.ts';
import { Lab } from './lab.ts';
import { LabError } from './lab-error.ts';
import type { Place } from './node/place.ts';

/** Soon enough for a test that waits for nothing to come. */
const SOON = { timeout_ms: 700 };
const HOST = '10.50.0.10';

describe('a lab of four nodes, one behind NAT, two leading to a subnet', () => {
  const name = newLabName();
  const stack = new AsyncDisposableStack();
  const probers = new Map<string, Prober>();
  let coordinator: Server;
  let lab: Lab;
  const address = (node: string) => lab.node(node).address;
  const prober = (node: string) => probers.get(node) as Prober;

  before(async () => {
    coordinator = createServer((request, reply) => reply.end(`you asked for ${request.url}`));
    await new Promise<void>((resolve) => coordinator.listen(0, '127.0.0.1', resolve));
    stack.defer(() => {
      coordinator.close();
    });
    const { port } = coordinator.address() as AddressInfo;
    lab = stack.use(
      await Lab.up({
        name,
        nodes: [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'home', nat: true }],
        subnets: [{ cidr: '10.50.0.0/24', providers: ['a', 'b'] }],
        coordinator: `http://127.0.0.1:${port}`,
        program: ['cat', '/proc/self/status', '/proc/self/environ'],
      }),
    );
    for (const place of ['a', 'b', 'c', 'home', 'host-1']) {
      const prober = stack.use(new Prober(lab.place(place)));
      probers.set(place, prober);
      await prober.listen(80);
      await prober.listen(53, 'udp');
    }
  });
  after(() => stack.disposeAsync());

  test('nodes reach each other in both families', async () => {
    assert.match(await ping(lab.node('a'), address('b')), / 0% packet loss/);
    assert.match(await ping(lab.node('b'), lab.node('c').planned.address6 ?? ''), / 0% packet loss/);
    assert.equal((await prober('a').connect(address('c'), 80)).outcome, 'connected');
    assert.equal((await prober('a').connect(address('c'), 81)).outcome, 'refused');
    assert.equal((await prober('a').connect(address('c'), 53, { protocol: 'udp' })).outcome, 'connected');
  });

  test('a node behind NAT reaches others, and none reaches it', async () => {
    assert.equal((await prober('home').connect(address('a'), 80)).outcome, 'connected');
    assert.equal((await prober('home').connect(address('a'), 53, { protocol: 'udp' })).outcome, 'connected');
    assert.equal((await prober('a').connect(address('home'), 80, SOON)).outcome, 'timed out');
    assert.equal((await prober('a').connect(address('home'), 53, { protocol: 'udp', ...SOON })).outcome, 'timed out');
    const routes = await lab.node('home').exec('ip', ['-6', 'route', 'show', 'default']);
    assert.equal(routes, '');
  });

  test('a node behind NAT is seen at the address of its router', async () => {
    const flow = await prober('home').flow(address('b'), 80);
    let sockets = '';
    await until(
      async () => {
        sockets = await lab.node('b').exec('ss', ['-Htn', 'state', 'established']);
        return sockets.includes(address('home')); // it is open here a little later than there
      },
      () => `b sees ${address('home')}, and not only ${sockets}`,
    );
    await flow.end();
    assert.ok(!sockets.includes(lab.node('home').planned.inner_address ?? ''), sockets);
  });

  test('the subnet is reached by its providers, and by no other node', async () => {
    assert.equal((await prober('a').connect(HOST, 80)).outcome, 'connected');
    assert.equal((await prober('b').connect(HOST, 80)).outcome, 'connected');
    assert.equal((await prober('c').connect(HOST, 80, SOON)).outcome, 'timed out');
    assert.equal((await prober('host-1').connect('10.50.0.2', 80)).outcome, 'connected');
    assert.equal((await prober('host-1').connect(address('c'), 80, SOON)).outcome, 'unreachable');
  });

  test('a link that is cut is cut in both directions and both families, and comes back with what was open', async () => {
    const flow = await prober('a').flow(address('b'), 80);
    await lab.cut('a', 'b');
    assert.deepEqual(await lab.cuts(), [['a', 'b']]);
    assert.equal((await prober('a').connect(address('b'), 80, SOON)).outcome, 'timed out');
    assert.equal((await prober('b').connect(address('a'), 80, SOON)).outcome, 'timed out');
    const six = lab.node('b').planned.address6 ?? '';
    assert.equal((await prober('a').connect(six, 80, SOON)).outcome, 'timed out');
    assert.equal((await prober('a').connect(address('c'), 80)).outcome, 'connected', 'other links are whole');

    const { returned_bytes } = await flow.state();
    await lab.mend('b', 'a');
    assert.deepEqual(await lab.cuts(), []);
    assert.equal((await prober('a').connect(six, 80)).outcome, 'connected');
    await until(
      async () => (await flow.state()).returned_bytes > returned_bytes,
      () => 'the flow goes on',
    );
    await flow.end();
  });

  test('a node behind NAT is cut off as well', async () => {
    await lab.cut('home', 'c');
    assert.equal((await prober('home').connect(address('c'), 80, SOON)).outcome, 'timed out');
    assert.equal((await prober('home').connect(address('b'), 80)).outcome, 'connected');
    await lab.mend('home', 'c');
    assert.equal((await prober('home').connect(address('c'), 80)).outcome, 'connected');
  });

  test('nothing that is sent through a cut arrives, from either end', async () => {
    const ends = [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'net'],
      ['net', 'a'],
    ] as const; // the coordinator is behind `net`
    const addressOf = (place: string) => (place === 'net' ? '10.213.0.1' : address(place));
    // All know each other beforehand: otherwise it is only the search for a neighbour that fails.
    for (const [from, to] of ends) await ping(lab.place(from), addressOf(to));
    await lab.cut('a', 'b');
    await lab.cut('a', 'coordinator');
    for (const [from, to] of ends) {
      const before = await echoesHeard(lab.place(to));
      await assert.rejects(lab.place(from).exec('ping', ['-c', '1', '-W', '0.5', addressOf(to)]), /100% packet loss/);
      assert.equal(await echoesHeard(lab.place(to)), before, `${from} to ${to}`);
    }
    await lab.mend('a', 'b');
    await lab.mend('a', 'coordinator');
    for (const [from, to] of ends) assert.match(await ping(lab.place(from), addressOf(to)), / 0% packet loss/);
  });

  test('cutting twice and mending what is whole change nothing', async () => {
    await lab.cut('a', 'c');
    await lab.cut('c', 'a');
    await lab.mend('a', 'c');
    await lab.mend('a', 'c');
    assert.deepEqual(await lab.cuts(), []);
    assert.equal((await prober('a').connect(address('c'), 80)).outcome, 'connected');
  });

  test('every node reaches the coordinator, which listens on loopback only', async () => {
    for (const node of ['a', 'home']) assert.equal(await get(lab.node(node), `${DOOR_URL}/v1`), 'you asked for /v1');
    assert.equal(await get(lab.node('a'), 'http://[fd5a:1ab7:400e::1]:7400/six'), 'you asked for /six');
  });

  test('one node can be cut off from the coordinator, and nothing else', async () => {
    await lab.cut('a', 'coordinator');
    assert.deepEqual(await lab.cuts(), [['a', 'coordinator']]);
    assert.equal((await prober('a').connect('10.213.0.1', 7400, SOON)).outcome, 'timed out');
    assert.equal((await prober('a').connect('fd5a:1ab7:400e::1', 7400, SOON)).outcome, 'timed out');
    assert.equal((await prober('b').connect('10.213.0.1', 7400)).outcome, 'connected');
    assert.equal((await prober('a').connect(address('b'), 80)).outcome, 'connected');
    await lab.mend('coordinator', 'a');
    assert.equal(await get(lab.node('a'), `${DOOR_URL}/back`), 'you asked for /back');
  });

  test('each node has its own sockets of WireGuard and its own names', async () => {
    const file = `/var/run/wireguard/${name}`;
    await lab.node('a').exec('touch', [file]);
    assert.match(await lab.node('a').exec('ls', ['/var/run/wireguard']), new RegExp(name));
    assert.doesNotMatch(await lab.node('b').exec('ls', ['/var/run/wireguard']), new RegExp(name));
    assert.ok(!existsSync(file), 'the machine itself must not have it');
    assert.match(await lab.node('a').exec('cat', ['/etc/hosts']), /localhost a\n/);
  });

  test('an agent has power over its network and no other, and nothing of our environment', async () => {
    const { agent } = lab.node('a');
    process.env.LAB_TEST_SECRET = 'hunter2';
    await agent.start(); // shows what it was started with, and ends
    delete process.env.LAB_TEST_SECRET;
    await until(
      async () => !(await agent.isRunning()),
      () => 'it ends',
    );
    const status = await agent.logs();
    const NETWORK_ONLY = '0000000000001400'; // CAP_NET_ADMIN and CAP_NET_BIND_SERVICE
    for (const field of ['CapPrm', 'CapEff', 'CapBnd'])
      assert.match(status, new RegExp(`${field}:\\s${NETWORK_ONLY}\n`));
    assert.match(status, /NoNewPrivs:\s1/);
    assert.match(status, new RegExp(`MESH_STATE_DIR=/run/mesh-lab/${name}/nodes/a/state`));
    assert.doesNotMatch(status, /LAB_TEST_SECRET/);
  });

  test('what is not there is refused in words', async () => {
    const refused = (fault: string, message: RegExp) => (error: unknown) =>
      error instanceof LabError && error.fault === fault && message.test(error.message);
    assert.throws(() => lab.node('x'), refused('not_found', /there is no node "x" of the lab .* a, b, c, home/));
    assert.throws(() => lab.place('x'), refused('not_found', /there are net, a, b, c, home, nat-home, host-1/));
    await assert.rejects(lab.cut('a', 'x'), refused('not_found', /no node "x"/));
    await assert.rejects(lab.cut('a', 'a'), refused('usage', /has two ends/));
  });

  test('another process finds the lab by its name', async () => {
    const same = await Lab.open(name, []);
    assert.deepEqual([...same.nodes.keys()], ['a', 'b', 'c', 'home']);
    assert.ok((await Lab.names()).includes(name));
  });

  test('nothing of it is left on the machine when it is over, and ending it twice is once too often but no failure', async () => {
    assert.notEqual(tracesOf(name).length, 0);
    await lab.down();
    assert.deepEqual(tracesOf(name), []);
    await lab.down();
    assert.equal(await Lab.down(name), false);
  });
});

function ping(place: Place, address: string): Promise<string> {
  return place.exec('ping', ['-c', '1', '-W', '5', address]);
}

/** How many pings its kernel has had, answered or not. */
async function echoesHeard(place: Place): Promise<number> {
  const [names = '', values = ''] = (await place.exec('grep', ['^Icmp:', '/proc/net/snmp'])).split('\n');
  return Number(values.split(' ')[names.split(' ').indexOf('InEchos')]);
}

function get(place: Place, url: string): Promise<string> {
  return place.exec(process.execPath, [
    '-e',
    `fetch('${url}').then((a) => a.text()).then((t) => process.stdout.write(t))`,
  ]);
}
