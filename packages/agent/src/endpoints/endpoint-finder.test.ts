import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { interfaces } from '../../test/endpoint-interfaces.ts';
import { attribute, bindingAnswer, type Question, stunServer } from '../../test/stun-server.ts';
import { EndpointFinder, type EndpointFinderOptions } from './endpoint-finder.ts';

const PORT = 51_820;
/** No test waits that long: a relay here answers, or the test does not wait for it. */
const PATIENT = { first_wait_ms: 100, give_up_ms: 60_000 };
const HOME = { eth0: ['192.168.1.5'] };
const sees =
  (address: string, port = 40_001) =>
  ({ request, answer }: Question) =>
    answer(bindingAnswer(request, { address, port }));
const SERVER_ERROR = attribute(0x0009, Buffer.from([0, 0, 5, 0]));
const refuses = ({ request, answer }: Question) =>
  answer(bindingAnswer(request, { address: '203.0.113.1', port: 1, type: 0x0111, attributes: [SERVER_ERROR] }));
const relayAt = ({ address, port }: { address: string; port: number }) => ({
  name: 'fra-1',
  host: address,
  port,
  any_address: true,
});

/** A finder on a host whose addresses can be changed, stopped with the test. */
function finderWith(t: TestContext, options: Partial<EndpointFinderOptions> = {}) {
  const host: { addresses: Record<string, readonly string[]>; fails?: boolean } = { addresses: HOME };
  const reported: (readonly string[])[] = [];
  const finder = new EndpointFinder({
    port: PORT,
    changed: (endpoints) => reported.push(endpoints),
    interfaces: () => {
      if (host.fails === true) throw new Error('out of memory');
      return interfaces(host.addresses);
    },
    stun_pace: PATIENT,
    ...options,
  });
  t.after(() => finder.stop());
  return { finder, host, reported };
}

describe('a finder', { timeout: 60_000 }, () => {
  it('tells the list when it changes, and only then', async (t) => {
    const { finder, host, reported } = finderWith(t);
    await finder.look();
    await finder.look();
    assert.deepEqual(reported, [['192.168.1.5:51820']]);
    host.addresses = { ...HOME, eth1: ['192.0.2.5'] };
    await finder.look();
    host.addresses = { eth1: ['192.0.2.5'], ...HOME };
    await finder.look();
    host.addresses = {};
    await finder.look();
    assert.deepEqual(reported.slice(1), [['192.0.2.5:51820', '192.168.1.5:51820'], []]);
    assert.deepEqual([finder.endpoints, finder.relays, finder.problem], [[], [], null]);
  });

  it('looks again by itself, until it is stopped', async (t) => {
    const noticed = Promise.withResolvers<readonly string[]>();
    const { finder, host, reported } = finderWith(t, {
      look_every_ms: 5,
      changed: (endpoints) => (reported.push(endpoints) === 2 ? noticed.resolve(endpoints) : undefined),
    });
    finder.start();
    await finder.look();
    host.addresses = { eth0: ['192.0.2.5'] };
    assert.deepEqual(await noticed.promise, ['192.0.2.5:51820']);
    await finder.stop();
    host.addresses = HOME;
    const look = t.mock.method(finder, 'look');
    for (let ticks = 0; ticks < 3; ticks++) await pause(5); // as often as it would have looked
    assert.equal(look.mock.callCount(), 0);
    await finder.look();
    assert.deepEqual([reported.length, finder.endpoints], [2, ['192.0.2.5:51820']]);
  });

  it('looks soon when the host has another address or default route, once for many changes', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { finder, host, reported } = finderWith(t);
    finder.start();
    await finder.look();
    const look = t.mock.method(finder, 'look');
    finder.hostChanged('address');
    t.mock.timers.tick(300);
    assert.equal(look.mock.callCount(), 0, 'it is the address of a container, say');
    host.addresses = { eth0: ['192.0.2.5'] };
    finder.setSeenAs(null); // the address is known by now, and relays were not asked yet
    for (let times = 0; times < 3; times++) finder.hostChanged('address');
    t.mock.timers.tick(300);
    assert.deepEqual([look.mock.callCount(), reported.at(-1)], [1, ['192.0.2.5:51820']]);
    await look.mock.calls[0]?.result;
    finder.hostChanged('default-route');
    t.mock.timers.tick(300);
    assert.equal(look.mock.callCount(), 1, 'it rests');
    t.mock.timers.tick(5000);
    assert.equal(look.mock.callCount(), 2);
    await finder.stop();
    finder.hostChanged('default-route');
    t.mock.timers.tick(10_000);
    assert.equal(look.mock.callCount(), 2);
  });

  it('tells what the coordinator sees, as long as it says so', (t) => {
    const { finder, reported } = finderWith(t);
    for (const seenAs of ['203.0.113.1', '203.0.113.1', '192.168.1.5', null]) finder.setSeenAs(seenAs);
    assert.deepEqual(reported, [['203.0.113.1:51820', '192.168.1.5:51820'], ['192.168.1.5:51820']]);
  });

  it('tells of a port that the router maps, as long as it does', (t) => {
    const { finder, reported } = finderWith(t);
    for (const forwarded of ['203.0.113.1:40001', '203.0.113.1:40001', null]) finder.setForwarded(forwarded);
    assert.deepEqual(reported, [['203.0.113.1:40001', '192.168.1.5:51820'], ['192.168.1.5:51820']]);
  });

  it('tells nothing of the mesh', async (t) => {
    const { finder, host } = finderWith(t);
    host.addresses = { eth0: ['10.7.0.1', '192.168.1.5'] };
    finder.setMesh(['10.7.0.0/16']);
    finder.setSeenAs('10.7.0.9');
    await finder.look();
    assert.deepEqual(finder.endpoints, ['192.168.1.5:51820']);
  });

  it('keeps what it knows when the interfaces cannot be read, and says so', async (t) => {
    const { finder, host } = finderWith(t);
    await finder.look();
    host.fails = true;
    await finder.look();
    assert.deepEqual(finder.endpoints, ['192.168.1.5:51820']);
    assert.match(finder.problem ?? '', /interfaces cannot be read: out of memory/);
    host.fails = false;
    await finder.look();
    assert.equal(finder.problem, null);
  });
});

describe('a finder with a relay', { timeout: 60_000 }, () => {
  it('measures it, and believes it as to the address only', async (t) => {
    await using server = await stunServer(sees('203.0.113.1'));
    const { finder } = finderWith(t);
    finder.setRelays([relayAt(server)]);
    await finder.look();
    assert.deepEqual(finder.endpoints, ['203.0.113.1:51820', '192.168.1.5:51820']);
    assert.deepEqual(
      finder.relays.map(({ name }) => name),
      ['fra-1'],
    );
    assert.ok((finder.relays[0]?.rtt_ms ?? -1) >= 0);
    assert.equal(finder.problem, null);
  });

  it('measures every relay, and believes the nearest one', async (t) => {
    await using first = await stunServer(sees('203.0.113.1'));
    await using second = await stunServer(refuses);
    const { finder } = finderWith(t);
    finder.setRelays([{ ...relayAt(second), name: 'ams-1' }, relayAt(first)]);
    await finder.look();
    assert.deepEqual(
      finder.relays.map(({ name }) => name),
      ['fra-1'],
      'only what answered was measured',
    );
    assert.deepEqual(finder.endpoints, ['203.0.113.1:51820', '192.168.1.5:51820']);
    assert.match(finder.problem ?? '', /ams-1/);
    finder.setRelays([relayAt(first)]);
    assert.deepEqual(
      finder.relays.map(({ name }) => name),
      ['fra-1'],
      'one that stays is still measured',
    );
    finder.setRelays([]);
    assert.deepEqual(finder.relays, []);
  });

  it('is not asked at an address that no relay can have, nor by a name that leads there, unless the operator allows it', async (t) => {
    let questions = 0;
    await using server = await stunServer((question) => {
      questions += 1;
      sees('203.0.113.1')(question);
    });
    const { finder } = finderWith(t);
    const { any_address: _, ...relay } = relayAt(server);
    for (const host of [server.address, 'localhost']) {
      finder.setRelays([{ ...relay, host }]);
      await finder.look();
      assert.deepEqual([finder.relays, questions], [[], 0], host);
      assert.match(finder.problem ?? '', /127\.0\.0\.1 is not asked/, host);
    }
    finder.setRelays([relayAt(server)]);
    await finder.look();
    assert.deepEqual([finder.relays.length, questions], [1, 1]);
  });

  it('finds it by name, and by each family', async (t) => {
    await using four = await stunServer(sees('203.0.113.1'));
    const { finder } = finderWith(t);
    finder.setRelays([{ ...relayAt(four), host: 'localhost' }]); // ::1 is asked too where the host resolves it, and no relay listens there
    await finder.look();
    assert.deepEqual(finder.endpoints, ['203.0.113.1:51820', '192.168.1.5:51820']);
    assert.equal(finder.problem, null);
  });

  it('tells the port that the NAT gave to WireGuard, as long as the address stays', async (t) => {
    let address = '203.0.113.1';
    await using server = await stunServer((question) =>
      sees(address, question.from.port === port ? 40_001 : 40_002)(question),
    );
    const port = await freePort();
    const { finder } = finderWith(t, { port });
    finder.setRelays([relayAt(server)]);
    const mapped = await finder.probeBeforeStart();
    assert.deepEqual(mapped, [{ address, port: 40_001, keeps_port: false }]);
    await using _wireguard = await taken(port);
    for (const [seen, expected] of [
      ['203.0.113.1', 40_001],
      ['203.0.113.9', port],
      ['203.0.113.1', 40_001],
    ] as const) {
      address = seen;
      await finder.look();
      assert.deepEqual(finder.endpoints, [`${seen}:${expected}`, `192.168.1.5:${port}`]);
    }
  });

  it('asks from another port when WireGuard has its own already', async (t) => {
    await using server = await stunServer(sees('203.0.113.1'));
    const port = await freePort();
    await using _wireguard = await taken(port);
    const { finder } = finderWith(t, { port });
    finder.setRelays([relayAt(server)]);
    assert.deepEqual(await finder.probeBeforeStart(), []);
    assert.deepEqual(finder.endpoints, [`203.0.113.1:${port}`, `192.168.1.5:${port}`]);
    assert.equal(finder.problem, null);
  });

  it('sends no STUN request before the start when there is no relay', async (t) => {
    const { finder } = finderWith(t);
    assert.deepEqual(await finder.probeBeforeStart(), []);
    assert.deepEqual(finder.endpoints, ['192.168.1.5:51820']);
  });

  it('keeps what a relay said that has failed since, until its own addresses change', async (t) => {
    let broken = false;
    await using server = await stunServer((question) => (broken ? refuses : sees('203.0.113.1'))(question));
    const { finder, host, reported } = finderWith(t);
    finder.setRelays([relayAt(server)]);
    await finder.look();
    broken = true;
    host.addresses = { eth0: ['192.168.1.5', '2001:db8::5'] };
    await finder.look();
    assert.deepEqual(finder.endpoints, ['[2001:db8::5]:51820', '203.0.113.1:51820', '192.168.1.5:51820']);
    assert.equal(
      finder.problem,
      `relay fra-1 at 127.0.0.1, port ${server.port}: it answered with error 500 (127.0.0.1)`,
    );
    assert.deepEqual(finder.relays, []);
    host.addresses = { eth0: ['10.0.0.5'] };
    await finder.look();
    assert.deepEqual(reported.at(-1), ['10.0.0.5:51820']);
  });

  it('reports a name that does not resolve, and keeps its own addresses', async (t) => {
    const { finder } = finderWith(t);
    finder.setRelays([{ name: 'fra-1', host: 'relay.invalid', port: 3478 }]);
    await finder.look();
    assert.deepEqual(finder.endpoints, ['192.168.1.5:51820']);
    assert.match(finder.problem ?? '', /^relay fra-1 at relay\.invalid, port 3478: .*(ENOTFOUND|EAI_AGAIN)/);
    finder.setRelays([]);
    assert.equal(finder.problem, null);
  });

  it('looks exactly once more when another look is requested during one', async (t) => {
    await using server = await stunServer(sees('203.0.113.1'));
    const { finder } = finderWith(t, { stun_pace: { first_wait_ms: 30_000, give_up_ms: 30_000 } });
    finder.setRelays([relayAt(server)]);
    await Promise.all([finder.look(), finder.look(), finder.look()]);
    assert.equal(server.requests.length, 2);
    await finder.look();
    assert.equal(server.requests.length, 3);
  });

  it('asks a new relay at once, and forgets the answer of one that is not its own any more', async (t) => {
    const fromNew = Promise.withResolvers<void>();
    const { finder, reported } = finderWith(t, {
      changed: (endpoints) => (reported.push(endpoints) === 2 ? fromNew.resolve() : undefined),
    });
    await using fresh = await stunServer(sees('203.0.113.2'));
    await using old = await stunServer((question) => {
      finder.setRelays([{ ...relayAt(fresh), name: 'ams-1' }]);
      sees('203.0.113.1')(question);
    });
    finder.start();
    finder.setRelays([relayAt(old)]);
    await fromNew.promise;
    assert.deepEqual(
      finder.relays.map(({ name }) => name),
      ['ams-1'],
    );
    assert.deepEqual(reported, [['192.168.1.5:51820'], ['203.0.113.2:51820', '192.168.1.5:51820']]);
  });

  it('keeps what it measured when the same relay is set again', async (t) => {
    await using server = await stunServer(sees('203.0.113.1'));
    const { finder } = finderWith(t);
    finder.setRelays([relayAt(server)]);
    await finder.look();
    finder.setRelays([relayAt(server)]);
    assert.equal(finder.relays.length, 1);
  });

  it('stops in the midst of a look', async (t) => {
    const asked = Promise.withResolvers<void>();
    await using server = await stunServer(() => asked.resolve());
    const { finder, reported } = finderWith(t, { stun_pace: { first_wait_ms: 600_000, give_up_ms: 600_000 } });
    finder.setRelays([relayAt(server)]);
    finder.start();
    await asked.promise;
    await finder.stop();
    finder.setSeenAs('203.0.113.1');
    assert.deepEqual(reported, [['192.168.1.5:51820']]);
  });
});

async function taken(port: number) {
  const socket = createSocket('udp4').bind(port);
  await once(socket, 'listening');
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(resolve)),
  };
}

async function freePort(): Promise<number> {
  await using some = await taken(0);
  return some.port;
}
