import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleToken, type Token } from '@meshwork/contract';
import { inOrder } from './in-order.ts';

const token = (name: string, state: Token['state']): Token => ({ ...exampleToken, name, state });

describe('the order of tokens', () => {
  it('has those that work before those that are over, newest first', () => {
    const tokens = [
      token('a', 'expired'),
      token('b', 'active'),
      token('c', 'revoked'),
      token('d', 'retiring'),
      token('e', 'used_up'),
    ];
    assert.deepEqual(
      inOrder(tokens).map(({ name }) => name),
      ['d', 'b', 'e', 'c', 'a'],
    );
  });

  it('is left alone where the list is longer than a page', () => {
    const tokens = Array.from({ length: 201 }, (_, index) => token(`t${index}`, 'active'));
    assert.equal(inOrder(tokens), tokens);
  });
});
