import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleRotation, type Rotation } from '@meshwork/contract';
import { othersWords, percentProven, provenWords, renewingWords } from './rotation-words.ts';

const rotation = (nodes: Partial<Rotation['nodes']>, what: Rotation['what'] = 'intermediate'): Rotation => ({
  ...exampleRotation,
  what,
  nodes: { ...exampleRotation.nodes, ...nodes },
});

describe('how far a rotation is', () => {
  it('counts the nodes that have proven it', () => {
    const said = provenWords(rotation({ fresh: 14, proven: 12 }));
    assert.equal(said, '12 of 14 nodes have proven that they trust the new intermediate');
    const one = provenWords(rotation({ fresh: 1, proven: 0 }, 'root'));
    assert.equal(one, '0 of 1 node has proven that it trusts the new root');
    assert.equal(provenWords(rotation({ fresh: 0, proven: 0 })), 'No node to wait for');
  });

  it('is full only when every node has proven it', () => {
    assert.equal(percentProven(rotation({ fresh: 1000, proven: 999 }).nodes), 99);
    assert.equal(percentProven(rotation({ fresh: 1000, proven: 1000 }).nodes), 100);
    assert.equal(percentProven(rotation({ fresh: 0, proven: 0 }).nodes), 100);
  });

  it('counts the nodes that are not named', () => {
    assert.equal(othersWords(3, 3), '');
    assert.equal(othersWords(20, 150), ' and 130 more');
    assert.equal(othersWords(0, 1), '1 node');
  });

  it('says after the switch what the old authorities wait for', () => {
    assert.match(renewingWords(rotation({ renewing: 1 })), /^1 certificate still to renew\. The old intermediate/);
    assert.match(renewingWords(rotation({ renewing: 0 }, 'root')), /^no certificates left .* The old root is kept/);
  });
});
