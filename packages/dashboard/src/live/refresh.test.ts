import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { Refresh } from './refresh.ts';

/** Queries with an observer, and how often each was fetched. */
async function watched(...ids: readonly string[]) {
  const queries = new QueryClient();
  const asked = new Map<string, number>();
  for (const id of ids) {
    const queryFn = () => asked.set(id, (asked.get(id) ?? 0) + 1).size;
    new QueryObserver(queries, { queryKey: [id], queryFn, gcTime: 0 }).subscribe(() => undefined);
  }
  await settled();
  asked.clear();
  return { refresh: new Refresh(queries), asked };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    mock.timers.tick(0);
    await setImmediate();
  }
}

async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settled();
}

test('a burst of events is one question, to the areas that they touch', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.after(() => mock.timers.reset());
  const { refresh, asked } = await watched('nodes.list', 'peers.list', 'tokens.list');
  for (let event = 0; event < 50; event++) refresh.touch(['nodes', 'peers']);
  await pass(100);
  assert.deepEqual(Object.fromEntries(asked), { 'nodes.list': 1, 'peers.list': 1 });
});

test('an area is asked about once a second at most, and what came meanwhile is not forgotten', async (t) => {
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  t.after(() => mock.timers.reset());
  const { refresh, asked } = await watched('nodes.list');
  refresh.touch(['nodes']);
  await pass(100);
  refresh.touch(['nodes']);
  await pass(900);
  assert.equal(asked.get('nodes.list'), 1);
  await pass(100);
  await pass(100);
  assert.equal(asked.get('nodes.list'), 2);
});
