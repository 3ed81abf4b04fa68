import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore, StoreError } from './index.ts';

it('an address of neither engine is refused without repeating its password', async () => {
  for (const address of ['mysql://root:hunter2@db/mesh', 'hunter2', 'sqlite:', 'postgres:/hunter2', '']) {
    await assert.rejects(openStore(address), (error) => {
      assert.ok(error instanceof StoreError);
      assert.equal(error.fault, 'misuse');
      assert.match(error.message, /sqlite:<path> or postgres:/);
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  }
});

it('a PostgreSQL server that is not there is unavailable, without repeating its password', async () => {
  // Port 1 is reserved: nothing listens there.
  await assert.rejects(openStore('postgres://mesh:hunter2@127.0.0.1:1/mesh'), (error) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.fault, 'unavailable');
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  });
});

it('an address or a schema that makes no sense is misuse', async () => {
  await assert.rejects(openStore('postgres://[hunter2'), (error) => {
    assert.ok(error instanceof StoreError);
    assert.equal(error.fault, 'misuse');
    assert.doesNotMatch(error.message, /hunter2/);
    return true;
  });
  const options = { postgres: { schema: 'Robert"); DROP' } };
  await assert.rejects(openStore('postgres://127.0.0.1:1/mesh', options), { fault: 'misuse' });
});
