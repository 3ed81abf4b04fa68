import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MESSAGE_LIMIT } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import type { Subject } from './subject.ts';

export function messages({ open }: Subject): void {
  describe('messages', () => {
    it('reach every receiver, the sender included, exactly as they were sent', async (t) => {
      const journal = await open(t);
      const [first, second]: [string[], string[]] = [[], []];
      const stops = [journal.receive((text) => first.push(text)), journal.receive((text) => second.push(text))];
      // A receiver hears nothing of what was sent before it listened, and nothing says when it does.
      await eventually('a message arrives', async () => {
        await journal.send('{"is":"there"}');
        return first.includes('{"is":"there"}') && second.includes('{"is":"there"}');
      });
      const odd = JSON.stringify({ text: `quote ' and \\ and \u2028 and 🐟 ${'x'.repeat(MESSAGE_LIMIT - 100)}` });
      await journal.send(odd);
      await eventually('a long one arrives', () => first.includes(odd) && second.includes(odd));
      for (const stop of stops) await stop();
      const heard = first.length;
      await journal.send('too late');
      await journal.ping();
      assert.equal(first.length, heard);
    });

    it('are refused when they are empty or too long, and after the store was closed', async (t) => {
      const journal = await open(t);
      await assert.rejects(journal.send(''), { fault: 'misuse' });
      await assert.rejects(journal.send('ü'.repeat(MESSAGE_LIMIT / 2 + 1)), { fault: 'misuse' });
      await assert.rejects(journal.send('\0'), { fault: 'misuse' });
      await journal.close();
      await assert.rejects(journal.send('x'), { fault: 'unavailable' });
      await journal.receive(() => assert.fail('nothing is received'))();
    });
  });
}
