import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Peer } from '@meshwork/contract';
import { PeerRelays } from './peer-relays.ts';

const peerAt = (...endpoints: readonly string[]) =>
  ({ relayed: endpoints.map((endpoint) => ({ relay: 'fra-1', endpoint })) }) as unknown as Peer;

it('relays of peers are known as long as one of them receives there, those of most first', () => {
  const relays = new PeerRelays();
  const [one, two] = [peerAt('203.0.113.9:1', '[2001:db8::9]:1'), peerAt('203.0.113.10:1', '203.0.113.9:2')];
  relays.set('one', one);
  relays.set('two', two);
  assert.deepEqual(relays.addresses, ['203.0.113.9', '2001:db8::9', '203.0.113.10']);
  relays.set('one', peerAt('203.0.113.10:7'));
  assert.deepEqual(relays.addresses, ['203.0.113.10', '203.0.113.9']);
  for (let times = 0; times < 2; times++) relays.set('two', undefined);
  for (let times = 0; times < 2; times++) relays.set('one', peerAt('203.0.113.10:8'));
  assert.deepEqual(relays.addresses, ['203.0.113.10']);
  relays.set('one', undefined);
  assert.deepEqual(relays.addresses, []);
});
