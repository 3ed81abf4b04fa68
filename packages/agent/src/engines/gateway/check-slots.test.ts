import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CheckSlots } from './check-slots.ts';

/** Enough for everything that may begin. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count++) await turn();
}

test('so many run at once and no more; the urgent ones come first, and the rest in order', async () => {
  const slots = new CheckSlots(2);
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const use = (name: string, urgent = false) =>
    slots.use(
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => endings.set(name, resolve));
      },
      { urgent },
    );
  const uses = [use('a'), use('b'), use('c'), use('d'), use('e', true), use('f', true)];
  await turns();
  assert.deepEqual(begun, ['a', 'b']);
  for (const [ended, next] of ['ae', 'bf', 'ec', 'fd'].map(([one = '', other = '']) => [one, other] as const)) {
    endings.get(ended)?.();
    await turns();
    assert.equal(begun.at(-1), next);
  }
  assert.equal(begun.length, 6);
  endings.get('c')?.();
  endings.get('d')?.();
  await Promise.all(uses);
  const again = [use('g'), use('h'), use('i')];
  await turns();
  assert.deepEqual(begun.slice(6), ['g', 'h'], 'what was free is free again, once');
  for (const name of ['g', 'h']) endings.get(name)?.();
  await turns();
  endings.get('i')?.();
  await Promise.all(again);
});

test('one that fails gives its slot back', async () => {
  const slots = new CheckSlots(1);
  await assert.rejects(
    slots.use(() => Promise.reject(new Error('it failed')), { urgent: false }),
    /it failed/,
  );
  assert.equal(await slots.use(async () => 'next', { urgent: false }), 'next');
});

test('no two begin in the same turn of the event loop', async () => {
  const slots = new CheckSlots(10);
  let now = 0;
  const begun: number[] = [];
  const uses = Array.from({ length: 10 }, () => slots.use(async () => void begun.push(now), { urgent: true }));
  while (begun.length < 10) {
    await turn();
    now += 1;
  }
  await Promise.all(uses);
  assert.equal(new Set(begun).size, 10);
});
