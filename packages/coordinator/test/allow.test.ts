/** Every path of the coordinator: the answer to a method that the table does not have lists those that it has. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { OPERATIONS } from '@meshwork/contract';
import { TestCoordinator } from './harness.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BY_PATH = Map.groupBy(Object.values(OPERATIONS), ({ path }) => path);

describe('Allow', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh.close());

  for (const [path, rows] of BY_PATH) {
    it(`names the methods of ${path}, and no others`, async () => {
      mesh.clock.advance(60); // strangers are limited by address
      const taken: string[] = rows.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      for (const method of METHODS.filter((one) => !taken.includes(one))) {
        const got = await mesh.ask(method, path.replaceAll(/\{\w+\}/g, 'something'));
        assert.equal(got.status, 405, `${method}: ${got.text}`);
        assert.deepEqual(got.headers.get('allow')?.split(', ').toSorted(), taken.toSorted(), method);
      }
    });
  }
});
