import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleRotation, type Rotation } from '@meshwork/contract';
import { rotationText } from './rotation-text.ts';

/** Of a mesh with so many nodes to wait for and overdue, whose answer names only some. */
function textOf(unproven: number, absent: number, named: number): string {
  const names = (prefix: string): Rotation['waiting'] =>
    Array.from({ length: named }, (_, index) => ({ id: `node_${index}` as never, name: `${prefix}${index + 1}` }));
  return rotationText({
    ...exampleRotation,
    nodes: { ...exampleRotation.nodes, fresh: 1000 + unproven, proven: 1000, absent },
    waiting: names('w'),
    absent: names('o'),
  });
}

describe('a rotation in text', () => {
  it('counts every node that it waits for, also those that are not named', () => {
    const text = textOf(2500, 150, 100);
    assert.match(text, /^waits for +w1, w2, w3, w4, w5, w6, w7, w8, w9, w10 and 2,490 more$/m);
    assert.match(text, /^not waited for +o1, .*, o10 and 140 more \(overdue\)$/m);
  });

  it('names what it can, and says the number where it can name none', () => {
    assert.match(textOf(3, 12, 2), /^not waited for +o1, o2 and 10 more \(overdue\)$/m);
    assert.match(textOf(3, 12, 0), /^waits for +3 nodes$/m);
    assert.doesNotMatch(textOf(0, 0, 0), /waits for|not waited for/);
  });
});
