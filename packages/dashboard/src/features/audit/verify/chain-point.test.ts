import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as contract from '@meshwork/contract/chain';
import { chainPointText, parseChainPoint } from './chain-point.ts';

describe('a place in the chain', () => {
  const point = { seq: 42, hash: '9b74c989'.repeat(8) };

  it('is written as the command line writes it, and read back', () => {
    assert.equal(chainPointText(point), contract.chainPointText(point));
    assert.deepEqual(parseChainPoint(` ${contract.chainPointText(point)}\n`), point);
  });

  it('is none where the hash is cut off', () => {
    assert.equal(parseChainPoint('42:9b74c989'), null);
    assert.equal(parseChainPoint('42:9b74c989…'), null);
    assert.equal(parseChainPoint(''), null);
  });
});
