/** Lists that are longer than anybody reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrol } from './markup.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

const NODES = 10_000;
const AT_A_TIME = 64;
/** Ours: a few times what fits into a window. */
const MOST_ROWS = 100;

test('a list of ten thousand nodes is scrolled to its end, and only what is in sight is drawn', async () => {
  await using scene = await Scene.open({ mesh: false });
  await scene.client.call('settings.update', { body: { api: { rate_per_s: 1_000_000, burst: 1_000_000 } } });
  let next = 0;
  const worker = async () => {
    while (next < NODES) await enrol(scene, { name: `node-${++next}` });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));

  await using person = await scene.person('operator');
  await person.opens('/nodes');
  const table = person.page.getByRole('table', { name: 'Nodes' });
  const rows = table.locator('tbody tr');
  const drawn: number[] = [];
  await table.locator('tbody tr').first().focus();
  await until('the last one is in sight', async () => {
    await person.page.keyboard.press('End');
    await person.drawn();
    drawn.push(await rows.count());
    const isWhole = (await table.getAttribute('aria-rowcount')) === String(NODES + 1); // the head counts too
    return isWhole && (await rows.last().getAttribute('aria-rowindex')) === String(NODES + 1);
  });
  assert.ok(Math.max(...drawn) <= MOST_ROWS, `${Math.max(...drawn)} rows were drawn`);
  await person.reads(`${NODES.toLocaleString('en-US')} nodes`);
  assert.deepEqual(person.faults, []);
});
