import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '@meshwork/contract';
import { knownMembers } from './unknown-members.ts';
import { validationOf } from './validation.ts';

const NODE = 'node_01jcqv6p0ee3xv9k7d0w8m2b4n';
const beat = { node: NODE, boot_id: 'b5f0c1d2e3a4', seq: 17, revision: 1183 };
const { body: check } = validationOf(OPERATIONS['agents.heartbeat']);

test('members that are not known are left out at any depth, and those beside them stay', () => {
  const abilities = { sections: ['self', 'teleport'], engines: { wireguard: '1', warp: '9' }, mood: 1 };
  const links = [{ peer: NODE, path: 'direct', rx_bytes: 1, tx_bytes: 2, jitter_ms: 3, handshake_at: null }];
  const applied = {
    self: { revision: 1, digest: '0'.repeat(12), lag: 1 },
    teleport: { revision: 1, digest: '0'.repeat(12) },
  };
  const given = { ...beat, report: { abilities }, observed: { links, weather: {} }, applied, 'a/b~': 1 };
  let dropped: readonly string[] = [];
  const body = check(given, (pointers) => {
    dropped = pointers;
  });
  const { jitter_ms: _, ...link } = links[0] ?? {};
  assert.deepEqual(body, {
    ...beat,
    report: { abilities: { sections: ['self', 'teleport'], engines: { wireguard: '1', warp: '9' } } },
    observed: { links: [link] },
    applied: { self: { revision: 1, digest: '0'.repeat(12) } },
  });
  assert.deepEqual([...dropped].sort(), [
    '/applied/self/lag',
    '/applied/teleport',
    '/a~1b~0',
    '/observed/links/0/jitter_ms',
    '/observed/weather',
    '/report/abilities/mood',
  ]);
});

test('known members with wrong values are refused, beside unknown ones or not, and nothing is counted', () => {
  const ignored = () => assert.fail('nothing was taken');
  for (const wrong of [
    { seq: -1 },
    { seq: -1, mood: 1 },
    { report: { endpoints: 7, mood: 1 } },
    { node: undefined, mood: 1 },
  ]) {
    assert.throws(() => check({ ...beat, ...wrong }, ignored), { code: 'invalid' });
  }
});

test('other operations refuse what they do not know', () => {
  const { body } = validationOf(OPERATIONS['relays.create']);
  assert.throws(() => body({ name: 'a', node: 'b', host: 'c', mood: 1 }), { code: 'invalid' });
});

test('however many members there are, few are named', () => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 1]));
  const { value, dropped } = knownMembers(OPERATIONS['agents.heartbeat'].body, { ...beat, ...many });
  assert.deepEqual([value, dropped.length], [beat, 50]);
});
