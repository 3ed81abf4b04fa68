import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { RememberedFolder } from './remembered-folder.ts';

describe('the folder that an engine was given', () => {
  let state: string;

  beforeEach(async () => {
    state = await mkdtemp(join(tmpdir(), 'meshwork-remembered-'));
  });
  afterEach(async () => {
    await rm(state, { recursive: true });
  });

  it('is known to the next agent, until it is forgotten', async () => {
    const remembered = new RememberedFolder(state, 'gateway');
    assert.equal(await remembered.read(), undefined);
    await remembered.keep('/run/one');
    await remembered.keep('/run/two');
    assert.equal(await new RememberedFolder(state, 'gateway').read(), '/run/two');
    assert.equal(await new RememberedFolder(state, 'relay').read(), undefined);
    await remembered.forget();
    await remembered.forget();
    assert.deepEqual([await remembered.read(), await readdir(state)], [undefined, []]);
  });

  it('is not taken for none when what is remembered cannot be read', async () => {
    await writeFile(join(state, 'gateway.json'), '{');
    await assert.rejects(new RememberedFolder(state, 'gateway').read());
  });
});
