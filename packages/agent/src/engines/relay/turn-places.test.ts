import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PlaceSources, turnPlaces } from './turn-places.ts';

function host({
  usable = [],
  local = [],
  routes = {},
}: {
  usable?: string[];
  local?: string[];
  routes?: Record<string, string>;
}): PlaceSources {
  return {
    resolve: async () => ({ usable, refused: [] }),
    local: () => local,
    sourceTo: async (address) => routes[address],
  };
}
const relay = { host: 'fra-1.example.net' };

test('a relay listens at the addresses that its name leads to', async () => {
  const sources = host({ usable: ['203.0.113.9', '2001:db8::9'], local: ['203.0.113.9', '10.0.0.5', '2001:db8::9'] });
  assert.deepEqual(await turnPlaces(relay, sources), [{ local: '203.0.113.9' }, { local: '2001:db8::9' }]);
});

test('an address of a router in front of the host stands for the one that it sends from', async () => {
  const sources = host({ usable: ['203.0.113.9'], local: ['10.0.0.5'], routes: { '203.0.113.9': '10.0.0.5' } });
  assert.deepEqual(await turnPlaces(relay, sources), [{ local: '10.0.0.5', outside: '203.0.113.9' }]);
});

test('of two that lead to the same address of the host, the first counts', async () => {
  const routes = { '203.0.113.9': '10.0.0.5', '203.0.113.10': '10.0.0.5' };
  const sources = host({ usable: ['203.0.113.9', '203.0.113.10'], local: ['10.0.0.5'], routes });
  assert.deepEqual(await turnPlaces(relay, sources), [{ local: '10.0.0.5', outside: '203.0.113.9' }]);
});

test('a name that is a loopback address in the eyes of its own machine leads to where it sends from', async () => {
  const sources = host({ local: ['10.0.0.5'], routes: { '192.0.2.1': '10.0.0.5' } });
  assert.deepEqual(await turnPlaces(relay, sources), [{ local: '10.0.0.5' }]);
});

test('a host without any way out has no relay', async () => {
  await assert.rejects(turnPlaces(relay, host({})), /fra-1.example.net leads to no address/);
});

test('the address that this host sends from is found without sending anything', async () => {
  assert.deepEqual(await turnPlaces({ host: '127.0.0.1', any_address: true }), [{ local: '127.0.0.1' }]);
});
