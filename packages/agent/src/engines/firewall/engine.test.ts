import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordedEngines } from '../../../test/recorded-engines.ts';
import { FirewallEngine } from './engine.ts';

test('what was denied is read the less often the longer it takes', async () => {
  let now = 0;
  let [counted, took] = [0, 0];
  const denied = async () => {
    counted += 1;
    now += took;
    return { in: counted, forward: 0 };
  };
  const firewall = { ...new RecordedEngines().parts.firewall, denied };
  const engine = new FirewallEngine({ firewall, offered: [], ticks: () => now });
  for (let look = 0; look < 3; look += 1) await engine.look();
  assert.equal(counted, 3, 'while it takes no time, with every look');
  took = 650;
  await engine.look();
  now += 12_999;
  await engine.look();
  assert.deepEqual([counted, engine.observe()], [4, { denied: { in: 4, forward: 0 } }]);
  now += 1;
  await engine.look();
  assert.equal(counted, 5);
});
