import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { NodeId } from '@meshwork/contract';
import fc from 'fast-check';
import { chooseProvider } from './choose-provider.ts';

const A = 'node_a' as NodeId;
const B = 'node_b' as NodeId;
const C = 'node_c' as NodeId;

describe('the provider of a network', () => {
  it('is the candidate that has been a member for longest', () => {
    assert.equal(chooseProvider({ present: null, candidates: [C, A, B], lingers: false }), A);
    assert.equal(chooseProvider({ present: null, candidates: [], lingers: false }), null);
  });

  it('goes on while it is a candidate, also when an older one returns', () => {
    assert.equal(chooseProvider({ present: B, candidates: [A, B], lingers: true }), B);
  });

  it('gives way as soon as another node can take over, and keeps the network until then', () => {
    assert.equal(chooseProvider({ present: A, candidates: [C, B], lingers: true }), B);
    assert.equal(chooseProvider({ present: A, candidates: [], lingers: true }), A);
    assert.equal(chooseProvider({ present: A, candidates: [], lingers: false }), null);
  });

  it('is always a candidate when there is one, in whatever order they stand, and then stays', () => {
    const node = fc.constantFrom(A, B, C);
    const seeker = fc.record({ present: fc.option(node), candidates: fc.uniqueArray(node), lingers: fc.boolean() });
    fc.assert(
      fc.property(seeker, (given) => {
        const chosen = chooseProvider(given);
        if (given.candidates.length > 0) assert.ok(chosen !== null && given.candidates.includes(chosen));
        assert.equal(chooseProvider({ ...given, candidates: given.candidates.toReversed() }), chosen);
        const stays = chooseProvider({ ...given, present: chosen, candidates: [A, B, C] });
        if (chosen !== null) assert.equal(stays, chosen);
      }),
    );
  });
});
