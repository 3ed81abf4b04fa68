import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, type CommandResult, MAX_ANSWER_BYTES } from '@meshwork/contract';
import { Commands } from './commands.ts';

const command = (id: string): Command => ({ id, kind: 'rekey' });

function setUp(rekey: () => Promise<undefined>, diagnose = async () => '{}') {
  const results: CommandResult[] = [];
  return { results, commands: new Commands({ rekey, diagnose }, (result) => void results.push(result)) };
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
  const kinds = ['dance', 'toString', '__proto__']; // the last two are in every table, and mean nothing there
  await commands.take(kinds.map((kind, index) => ({ id: `${index}`, kind: kind as Command['kind'] })));
  const failed = (kind: string) => ({ outcome: 'failed', detail: `this agent does not know how to ${kind}` });
  assert.deepEqual(
    results,
    kinds.map((kind, index) => ({ id: `${index}`, ...failed(kind) })),
  );
});

test('what was asked for comes with the result, unless it is too long to be sent', async () => {
  let answer = '{"ok":true}';
  const { results, commands } = setUp(
    async () => undefined,
    async () => answer,
  );
  await commands.take([{ id: 'one', kind: 'diagnose' }]);
  answer = 'ä'.repeat(MAX_ANSWER_BYTES / 2);
  await commands.take([{ id: 'two', kind: 'diagnose' }]);
  answer = `${answer}x`;
  await commands.take([{ id: 'three', kind: 'diagnose' }]);
  const [one, two, three] = results;
  assert.deepEqual(one, { id: 'one', outcome: 'done', data: '{"ok":true}' });
  assert.equal(two?.data?.length, MAX_ANSWER_BYTES / 2);
  const detail = `the answer has ${MAX_ANSWER_BYTES + 1} bytes; ${MAX_ANSWER_BYTES} can be sent`;
  assert.deepEqual(three, { id: 'three', outcome: 'failed', detail });
});
