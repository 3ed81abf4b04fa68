import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal, Leadership } from '../../src/index.ts';
import { eventually } from '../eventually.ts';
import type { Subject } from './subject.ts';

/** A candidate that records its callbacks. */
export function compete(journal: Journal, name: string): Leadership & { readonly calls: string[] } {
  const calls: string[] = [];
  const leadership = journal.lead(name, { gained: () => calls.push('gained'), lost: () => calls.push('lost') });
  return {
    calls,
    get leading() {
      return leadership.leading;
    },
    release: () => leadership.release(),
  };
}

export function leadership({ open }: Subject): void {
  describe('leadership', () => {
    it('is gained after the call, never during it', async (t) => {
      const candidate = compete(await open(t), 'timers');
      assert.equal(candidate.leading, false);
      assert.deepEqual(candidate.calls, []);
      await eventually('leading', () => candidate.leading);
      assert.deepEqual(candidate.calls, ['gained']);
      await candidate.release();
    });

    it('is held by one at a time, and goes to the next', async (t) => {
      const journal = await open(t);
      const first = compete(journal, 'timers');
      await eventually('the first leads', () => first.leading);
      const second = compete(journal, 'timers');
      const third = compete(journal, 'timers');
      await third.release();
      // By the time another name is won, the second has had every chance to win this one.
      const bystander = compete(journal, 'webhooks');
      await eventually('another name is led', () => bystander.leading);
      assert.equal(second.leading, false);
      await first.release();
      assert.equal(first.leading, false);
      await eventually('the second leads', () => second.leading);
      assert.deepEqual(first.calls, ['gained']);
      assert.deepEqual(second.calls, ['gained']);
      assert.deepEqual(third.calls, []);
      await second.release();
      await bystander.release();
    });

    it('is lost when the store is closed', async (t) => {
      const journal = await open(t);
      const leader = compete(journal, 'timers');
      const waiting = compete(journal, 'timers');
      await eventually('one leads', () => leader.leading || waiting.leading);
      await journal.close();
      assert.equal(leader.leading || waiting.leading, false);
      assert.deepEqual([...leader.calls, ...waiting.calls], ['gained', 'lost']);
    });
  });
}
