import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { formatAddress, formatNetwork, overlaps, parseAddress, parseNetwork } from './networks.ts';

describe('networks', () => {
  it('are read in their one canonical spelling only', () => {
    for (const text of ['10.20.0.0/16', '0.0.0.0/0', '192.0.2.7/32', 'fd00::/8', '::/0', '2001:db8::1/128']) {
      const network = parseNetwork(text);
      assert.ok(network !== undefined, text);
      assert.equal(formatNetwork(network), text);
    }
    for (const text of [
      '10.20.0.1/16',
      '10.20.0.0/33',
      '10.20.0.0/016',
      '010.20.0.0/16',
      '10.20.0.0',
      'fd00:0::/16',
      'FD00::/8',
      'fd00::1/64',
      '::ffff:10.0.0.0/104',
      '1::2::3/64',
      '10.20.0.0/16/8',
      '',
    ]) {
      assert.equal(parseNetwork(text), undefined, text);
    }
  });

  it('overlap when one holds a part of the other, and never across families', () => {
    const both = (a: string, b: string) => {
      const [first, second] = [parseNetwork(a), parseNetwork(b)];
      assert.ok(first !== undefined && second !== undefined);
      assert.equal(overlaps(first, second), overlaps(second, first));
      return overlaps(first, second);
    };
    assert.ok(both('10.0.0.0/8', '10.20.0.0/16'));
    assert.ok(both('100.64.0.0/10', '0.0.0.0/0'));
    assert.ok(!both('10.20.0.0/16', '10.21.0.0/16'));
    assert.ok(!both('0.0.0.0/0', '::/0'));
  });

  it('write every address so that it is read back the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.integer({ min: 0, max: 128 }), (some, zeros) => {
        const value = (some >> BigInt(zeros)) << BigInt(zeros);
        assert.deepEqual(parseAddress(formatAddress(6, value)), { family: 6, value });
        const four = value & 0xffffffffn;
        assert.deepEqual(parseAddress(formatAddress(4, four)), { family: 4, value: four });
      }),
    );
  });
});
