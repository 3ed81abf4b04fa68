import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { askSecret } from './ask.ts';

describe('a secret that is asked for', () => {
  /** What a person types, and what they see of it. */
  function terminal() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    return { input, output, seen: () => String(output.read() ?? '') };
  }

  it('is shown nowhere while it is typed', async () => {
    const { input, output, seen } = terminal();
    const asked = askSecret('Passphrase: ', { input, output });
    input.write('correct horsx\u007fe battery\r');
    assert.equal(await asked, 'correct horse battery');
    assert.equal(seen(), 'Passphrase: \n');
  });

  it('is missing when the input ends', async () => {
    const { input, output } = terminal();
    const asked = askSecret('Passphrase: ', { input, output });
    input.end();
    await assert.rejects(asked, /nothing was typed/);
  });
});
