import assert from 'node:assert/strict';
import { afterEach, beforeEach, it, mock } from 'node:test';
import { NetworkChanges } from './network-changes.ts';

/** RTM_NEWADDR and RTM_NEWROUTE to anywhere, both of IPv4, as linux/rtnetlink.h has them. */
const [ADDRESS, ROUTE] = [message(20, 8), message(24, 12)];

function message(type: number, body_bytes: number): Buffer {
  const bytes = Buffer.alloc(16 + body_bytes);
  bytes.writeUInt32LE(bytes.length, 0);
  bytes.writeUInt16LE(type, 4);
  bytes.writeUInt8(2, 16);
  return bytes;
}

let now_ms = 0;
beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now_ms);
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function host(...addresses: readonly string[]) {
  const changes: boolean[] = [];
  let own = addresses;
  const network = new NetworkChanges({ changed: (isLost) => changes.push(isLost), addresses: () => own });
  const after = (ms: number) => {
    now_ms += ms;
    mock.timers.tick(ms);
    return changes.splice(0);
  };
  const setOwn = (...changed: readonly string[]) => {
    own = changed;
  };
  return { network, after, setOwn };
}

it('a change of the network is one, however much of it is announced, and the next comes after a rest', () => {
  const { network, after, setOwn } = host('192.0.2.1');
  setOwn('192.0.2.1', '198.51.100.1');
  for (let count = 0; count < 5; count++) network.heard(ADDRESS);
  assert.deepEqual(after(100), [false]);
  setOwn('198.51.100.1');
  network.heard(ADDRESS);
  assert.deepEqual(after(4000), []);
  assert.deepEqual(after(1000), [true]);
});

it('an announcement that changes nothing is none, but for another default route and what was missed', () => {
  const { network, after } = host('192.0.2.1');
  network.heard(ADDRESS);
  assert.deepEqual(after(6000), []);
  network.heard(ROUTE);
  assert.deepEqual(after(6000), [true]);
  network.heard(null);
  assert.deepEqual(after(6000), [true]);
});
