import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Carrying } from './carrying.ts';

it('a link that is not used costs no timer, whatever is known of it', async () => {
  const carrying = new Carrying({ report: () => undefined, droppedEvents: () => 0, end: () => undefined });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await carrying.handlers.open({ node: 'node-0', wireguard_port: 51_820 });
  const before = timers();
  const set = Array.from({ length: 2000 }, (_, index) => ({
    peer: `node-${index}`,
    ways: [{ direct: { address: '192.0.2.1', port: 51_820 } }],
    spares: [{ direct: { address: '192.0.2.2', port: 51_820 } }],
    places: [{ address: '203.0.113.9', port: 1000 + index }],
    key: '00'.repeat(32),
  }));
  await carrying.handlers.links({ set, remove: [] });
  assert.equal((await carrying.handlers.state({})).links.length, 2000);
  assert.equal(timers(), before);
  await carrying.close();
});
