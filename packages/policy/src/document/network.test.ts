import assert from 'node:assert/strict';
import { BlockList, isIP } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  containsAddress,
  enclosingNetwork,
  formatAddress,
  formatNetwork,
  intersect,
  type Network,
  parseAddress,
  parseNetwork,
} from './network.ts';

function network(text: string): Network {
  const parsed = parseNetwork(text);
  assert.ok(parsed !== undefined, text);
  return parsed;
}

describe('networks', () => {
  it('are read in their one canonical spelling only', () => {
    for (const text of ['10.20.0.0/16', '0.0.0.0/0', '192.0.2.7/32', 'fd00::/8', '::/0', '2001:db8::1/128']) {
      assert.equal(formatNetwork(network(text)), text);
    }
    const four = [
      '10.20.0.1/16',
      '10.20.0.0/33',
      '10.20.0.0/016',
      '010.20.0.0/16',
      '10.20.0.0',
      '10.20/16',
      '256.0.0.0/8',
    ];
    const six = [
      'fd00:0::/16',
      'FD00::/8',
      'fd00::1/64',
      '::ffff:10.0.0.0/104',
      '1::2::3/64',
      ':::/0',
      '1:2:3:4:5:6:7:8:9/128',
    ];
    for (const text of [...four, ...six, '', '/', '/8', '10.20.0.0/16/8', '10.20.0.0/16\n', '::%eth0/128']) {
      assert.equal(parseNetwork(text), undefined, text);
    }
  });

  it('can be told from what somebody meant', () => {
    const meant = (text: string) => {
      const enclosing = enclosingNetwork(text);
      return enclosing && formatNetwork(enclosing);
    };
    assert.equal(meant('10.20.30.40/16'), '10.20.0.0/16');
    assert.equal(meant('FD00:0:0:0::1/016'), 'fd00::/16');
    assert.equal(meant('::ffff:10.0.0.0/104'), '::ffff:a00:0/104');
    assert.equal(meant('10.20.0.0/40'), undefined);
  });

  it('have in common the narrower of them, or nothing', () => {
    const common = (a: string, b: string) => {
      const [one, other] = [intersect(network(a), network(b)), intersect(network(b), network(a))];
      assert.deepEqual(one, other);
      return one && formatNetwork(one);
    };
    assert.equal(common('10.0.0.0/8', '10.20.0.0/16'), '10.20.0.0/16');
    assert.equal(common('0.0.0.0/0', '100.64.0.0/10'), '100.64.0.0/10');
    assert.equal(common('10.20.0.0/16', '10.20.0.0/16'), '10.20.0.0/16');
    assert.equal(common('10.20.0.0/16', '10.21.0.0/16'), undefined);
    assert.equal(common('0.0.0.0/0', '::/0'), undefined);
    assert.equal(common('fd00::/8', 'fd00:20::/32'), 'fd00:20::/32');
  });

  it('contain the addresses that Node says they contain', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(address, address, fc.nat(128), (inner, other, bits) => {
        const family = isIP(inner) === 4 ? 4 : 6;
        const prefix = Math.min(bits, family === 4 ? 32 : 128);
        const enclosing = enclosingNetwork(`${inner}/${prefix}`);
        assert.ok(enclosing !== undefined);
        const [base = ''] = formatNetwork(enclosing).split('/');
        const list = new BlockList();
        list.addSubnet(base, prefix, family === 4 ? 'ipv4' : 'ipv6');
        assert.ok(containsAddress(enclosing, inner));
        const same = isIP(other) === family;
        assert.equal(containsAddress(enclosing, other), same && list.check(other, family === 4 ? 'ipv4' : 'ipv6'));
      }),
    );
    assert.ok(!containsAddress(network('0.0.0.0/0'), 'git-1') && !containsAddress(network('::/0'), ''));
  });
});

describe('addresses', () => {
  it('are what Node takes for one', () => {
    const piece = fc.constantFrom('0', '1', '255', '256', '01', 'ffff', 'FF', ':', '::', '.', '10.0.0.1', 'g', '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => {
        const text = pieces.join('');
        assert.equal(parseAddress(text)?.family ?? 0, isIP(text), text);
      }),
      { numRuns: 3_000 },
    );
    fc.assert(fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => parseAddress(text)?.family === isIP(text)));
  });

  it('are written so that they are read back the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.nat(128), (some, zeros) => {
        const value = (some >> BigInt(zeros)) << BigInt(zeros);
        assert.deepEqual(parseAddress(formatAddress({ family: 6, value })), { family: 6, value });
        const four = value & 0xffffffffn;
        assert.deepEqual(parseAddress(formatAddress({ family: 4, value: four })), { family: 4, value: four });
      }),
    );
    assert.equal(formatAddress({ family: 6, value: (1n << 112n) | (1n << 48n) }), '1::1:0:0:0');
  });
});
