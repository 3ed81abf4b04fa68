import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordedEngines } from '../../../test/recorded-engines.ts';
import { FirewallEngine } from './engine.ts';

test('what was denied is read once a minute, and the less often the longer it takes', async () => {
  let now = 0;
  let [counted, took] = [0, 0];
  const denied = async () => {
    counted += 1;
    now += took;
    return { in: counted, forward: 0 };
  };
  const firewall = { ...new RecordedEngines().parts.firewall, denied };
  const engine = new FirewallEngine({ firewall, offered: [], accept_routes: 'subnets', ticks: () => now });
  const lookAfter = async (ms: number) => {
    now += ms;
    await engine.look();
    return counted;
  };
  assert.equal(await lookAfter(0), 1);
  assert.equal(await lookAfter(59_999), 1);
  took = 6500;
  assert.equal(await lookAfter(1), 2);
  assert.equal(await lookAfter(129_999), 2);
  assert.deepEqual(engine.observe('changes'), { denied: { in: 2, forward: 0 } });
  assert.equal(await lookAfter(1), 3);
});
