import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QuickClock } from '../../test/quick-clock.ts';
import { Watch } from './watch.ts';

/** Runs a watch until it has looked so many times, and says when it looked and when it checked. */
async function watched(
  looks: number,
  { check_ms = 0, onLook }: { check_ms?: number; onLook?: (n: number, watch: Watch, clock: QuickClock) => void } = {},
) {
  const clock = new QuickClock();
  const from = clock.now();
  const stopping = new AbortController();
  const at = { look: [] as number[], check: [] as number[] };
  const failures: unknown[] = [];
  const plane = {
    async look() {
      at.look.push(clock.now() - from);
      onLook?.(at.look.length, watch, clock);
      if (at.look.length === looks) stopping.abort();
    },
    async check() {
      at.check.push(clock.now() - from);
      clock.pass(check_ms);
      throw new Error('it cannot be found out');
    },
  };
  const watch: Watch = new Watch({ plane, clock, failed: (error) => failures.push(error) });
  await watch.run(stopping.signal);
  return { at, failures };
}

test('links are looked at soon after something changed, and then every ten seconds', async () => {
  const { at } = await watched(5);
  assert.deepEqual(at.look, [250, 1000, 3000, 13_000, 23_000]);
});

test('looks for foreign changes every ten seconds, also after a look that failed', async () => {
  const { at, failures } = await watched(5);
  assert.deepEqual(at.check, [13_000, 23_000]);
  assert.equal(failures.length, 2);
});

test('where a look for changes takes long, it is done less often', async () => {
  const { at } = await watched(6, { check_ms: 100 });
  assert.deepEqual(at.check, [13_000, 33_100]);
});

test('however long it takes, half a minute later it is done again', async () => {
  const { at } = await watched(7, { check_ms: 500 });
  assert.deepEqual(at.check, [13_000, 43_500]);
});

test('a change makes it look soon again', async () => {
  const { at } = await watched(7, { onLook: (n, watch) => n === 4 && watch.changed() });
  assert.deepEqual(at.look, [250, 1000, 3000, 13_000, 13_250, 14_000, 16_000]);
});

/** The looks of a watch that is notified of a change as soon as it sleeps for a time that `disturbs`. */
async function disturbed(disturbs: (ms: number) => boolean) {
  const clock = new QuickClock();
  const [from, sleep] = [clock.now(), clock.sleep.bind(clock)];
  const stopping = new AbortController();
  const looks: number[] = [];
  clock.sleep = async (ms, signal) => {
    if (disturbs(ms)) watch.changed();
    await sleep(ms, signal);
  };
  const look = async () => {
    looks.push(clock.now() - from);
    if (looks.length === 5) stopping.abort();
  };
  const watch: Watch = new Watch({
    plane: { look, check: async () => undefined },
    clock,
    failed: (error) => assert.fail(String(error)),
  });
  await watch.run(stopping.signal);
  return looks;
}

test('a change is looked at soon also when the rest after the one before has become longer', async () => {
  assert.deepEqual(await disturbed((ms) => ms === 2000), [250, 1000, 1250, 2000, 2250]);
});

test('a storm of changes does not put off the looks', async () => {
  assert.deepEqual(await disturbed(() => true), [250, 500, 750, 1000, 1250]);
});

test('a clock that is set back by a day does not put off the look for changes by a day', async () => {
  const day = 86_400_000;
  const { at } = await watched(6, { onLook: (n, _, clock) => n === 4 && clock.pass(-day) });
  assert.deepEqual(at.check, [13_000 - day, 23_000 - day, 33_000 - day]);
});

test('while the kernel announces changes, everything is compared once a minute, and what nothing announces as before', async () => {
  const clock = new QuickClock();
  const from = clock.now();
  const stopping = new AbortController();
  const checks: [number, string][] = [];
  const plane = {
    look: async () => undefined,
    async check(extent = 'everything') {
      checks.push([clock.now() - from, extent]);
      if (checks.length === 8) stopping.abort();
    },
  };
  await new Watch({ plane, clock, hears: () => true, failed: (error) => assert.fail(String(error)) }).run(
    stopping.signal,
  );
  const whole = checks.filter(([, extent]) => extent === 'everything').map(([at]) => at);
  assert.deepEqual(checks.map(([at]) => at).slice(0, 2), [13_000, 23_000]);
  assert.deepEqual(whole, [63_000]);
});
