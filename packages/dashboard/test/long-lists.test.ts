/** Lists of thousands of rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enrol } from './markup.ts';
import { Scene } from './scene.ts';
import { until } from './until.ts';

const NODES = 10_000;
const AT_A_TIME = 16;
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
  const end = NODES + 1; // the head counts too
  // Page by page: how long all of them take is not what this is about.
  for (let last = 0; last < end; ) {
    const before = last;
    last = await until(`more than ${before} rows are there`, async () => {
      await person.page.keyboard.press('End');
      await person.drawn();
      drawn.push(await rows.count());
      const index = Number(await rows.last().getAttribute('aria-rowindex'));
      return index > before && index;
    });
  }
  assert.equal(await table.getAttribute('aria-rowcount'), String(end));
  assert.ok(Math.max(...drawn) <= MOST_ROWS, `${Math.max(...drawn)} rows were drawn`);
  await person.reads(`${NODES.toLocaleString('en-US')} nodes`);
  assert.deepEqual(person.faults, []);
});
