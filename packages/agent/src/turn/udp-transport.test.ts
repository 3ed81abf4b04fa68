import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openUdp } from './udp-transport.ts';

test('a place that the host cannot send to is refused', async () => {
  // The kernel refuses a group of all hosts to a socket that did not ask for it, whatever routes there are.
  await assert.rejects(openUdp({ address: '255.255.255.255', port: 3478 }), { code: 'EACCES' });
});
