import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Journal, Revision } from '../../src/index.ts';
import { apply, idsOf, node, note, Scribe, type Written } from '../scribe.ts';
import type { Subject } from './subject.ts';

/** Always the same numbers, so that a failure can be looked into (Lehmer's generator). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** What the store should hold, kept in the simplest way there is. */
class Expected {
  /** The documents as they stood at each revision. */
  readonly states: Map<string, string>[] = [new Map()];
  entries: { readonly id: string; readonly at_ms: number }[] = [];

  record({ changes = [], appends = [] }: Written): void {
    const state = new Map(this.states.at(-1));
    for (const { id, body } of changes) {
      if (body === null) state.delete(id);
      else state.set(id, body);
    }
    this.states.push(state);
    this.entries.push(...appends);
  }

  trim(before_ms: number): void {
    const kept = this.entries.findIndex(({ at_ms }) => at_ms >= before_ms);
    this.entries = kept === -1 ? [] : this.entries.slice(kept);
  }
}

export function longHistory({ open }: Subject): void {
  describe('a long history', () => {
    it('brings every reader to the same state, whatever was deleted, forgotten and trimmed', async (t) => {
      const below = numbers(20_260_101);
      const scribe = new Scribe(await open(t));
      const expected = new Expected();
      for (let step = 1; step <= 120; step += 1) {
        const batch = Array.from({ length: 1 + below(3) }, (_, index) => written(below, `${step}-${index}`, step));
        await scribe.commit(...batch);
        for (const commit of batch) expected.record(commit);
        if (below(10) === 0) await scribe.journal.compact(below(scribe.revision + 1));
        if (below(10) === 0) {
          const before_ms = below(step * 10);
          await scribe.journal.trim('audit', before_ms);
          expected.trim(before_ms);
        }
        if (step % 20 === 0) await check(scribe.journal, scribe.revision, expected);
      }
    });
  });
}

function written(below: (n: number) => number, name: string, step: number): Written {
  const changes = Array.from({ length: below(4) }, () => node(`n${below(25)}`, below(3) === 0 ? null : name));
  const appends = Array.from({ length: below(3) }, (_, index) =>
    note(`${name}-${index}`, { at_ms: step * 10 - below(15) }),
  );
  return { changes, appends };
}

async function check(journal: Journal, revision: Revision, { states, entries }: Expected): Promise<void> {
  assert.equal(revision, states.length - 1);
  for (const [at, state] of states.entries()) {
    const reader = new Map(state);
    apply(reader, await journal.since(at));
    assert.deepEqual(reader, states.at(-1), `a reader at ${at} of ${revision}`);
  }
  const log = await journal.range({ log: 'audit', order: 'oldest_first', limit: 10_000 });
  assert.deepEqual(idsOf(log), idsOf(entries));
  const { base_seq, head_seq } = await journal.ends('audit');
  assert.deepEqual(
    log.map(({ seq }) => seq),
    Array.from({ length: head_seq - base_seq }, (_, index) => base_seq + index + 1),
  );
}
