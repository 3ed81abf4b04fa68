import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, CommandResult } from '@meshwork/contract';
import { Commands } from './commands.ts';

const command = (id: string): Command => ({ id, kind: 'rekey' });

function setUp(rekey: () => Promise<void>) {
  const results: CommandResult[] = [];
  return { results, commands: new Commands({ rekey }, (result) => void results.push(result)) };
}

test('a command that stays listed is done once, and one that comes later too', async () => {
  const { results, commands } = setUp(async () => undefined);
  await commands.take([command('one')]);
  await commands.take([command('one'), command('two')]);
  await commands.take([command('two')]);
  await commands.take([]);
  assert.deepEqual(results, [
    { id: 'one', outcome: 'done' },
    { id: 'two', outcome: 'done' },
  ]);
});

test('a command that fails says why', async () => {
  const { results, commands } = setUp(() => Promise.reject(new Error('no entropy')));
  await commands.take([command('one')]);
  assert.deepEqual(results, [{ id: 'one', outcome: 'failed', detail: 'no entropy' }]);
});

test('a kind of command that only a newer agent knows fails with a reason', async () => {
  const { results, commands } = setUp(async () => undefined);
  await commands.take([{ id: 'one', kind: 'dance' as Command['kind'] }]);
  assert.deepEqual(results, [{ id: 'one', outcome: 'failed', detail: 'this agent does not know how to dance' }]);
});
