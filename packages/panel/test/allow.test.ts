/** Every path of the panel, its own and those it forwards: an unknown method gets the list of known ones. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PANEL_OPERATIONS } from '@meshwork/contract';
import { PROXIED } from '../src/coordinator/proxied-operations.ts';
import { TestPanel } from './harness.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const ROWS = [
  ...Object.values(PANEL_OPERATIONS),
  ...PROXIED.map(({ path, operation: { method } }) => ({ path, method })),
];
const BY_PATH = Map.groupBy(ROWS, ({ path }) => path);

describe('Allow', () => {
  let panel: TestPanel;
  before(async () => {
    panel = await TestPanel.start();
  });
  after(() => panel.close());

  for (const [path, rows] of BY_PATH) {
    it(`names the methods of ${path}, and no others`, async () => {
      panel.clock.advance(60); // strangers are limited by address
      const taken = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of METHODS.filter((one) => !taken.includes(one))) {
        const got = await panel.browser().ask(method, path.replaceAll(/\{\w+\}/g, 'something'));
        assert.equal(got.status, 405, `${method}: ${got.text}`);
        assert.deepEqual(got.headers.get('allow')?.split(', ').toSorted(), taken.toSorted(), method);
      }
    });
  }
});
