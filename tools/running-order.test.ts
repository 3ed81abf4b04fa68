import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inRunningOrder } from './running-order.ts';

const named = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${folder}/${String(index).padStart(3, '0')}.test.ts`);

test('every file is run once', () => {
  const files = [...named('packages/agent/src', 90), ...named('packages/lab/test', 45), ...named('deploy/test', 2)];
  assert.deepEqual([...inRunningOrder(files)].sort(), [...files].sort());
});

test('the files of each folder of a package are spread over the run', () => {
  const files = [
    ...named('packages/coordinator/src', 40),
    ...named('packages/dashboard/src', 40),
    ...named('packages/dashboard/test', 10),
    ...named('tools', 10),
  ];
  const order = inRunningOrder(files);
  for (const [folder, share] of [
    ['packages/dashboard/test/', 0.9],
    ['tools/', 1],
  ] as const) {
    for (let start = 0; start < order.length * share - 20; start += 20) {
      const those = order.slice(start, start + 20).filter((file) => file.startsWith(folder));
      assert.ok(
        those.length === 2 || those.length === 3,
        `${those.length} of twenty files of ${folder} from ${start} on`,
      );
    }
  }
});

test('the long ones have begun when a fifth of the others is still to come', () => {
  const files = [...named('packages/agent/src', 100), ...named('packages/lab/test', 10), ...named('deploy/test', 2)];
  const order = inRunningOrder(files);
  const last = order.findLastIndex((file) => !file.startsWith('packages/agent/'));
  assert.ok(order.length - last > 20, `the last of them is ${last}`);
});

test('one file, and none', () => {
  assert.deepEqual(inRunningOrder(['packages/a/src/b.test.ts']), ['packages/a/src/b.test.ts']);
  assert.deepEqual(inRunningOrder([]), []);
});
