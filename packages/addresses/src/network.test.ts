import assert from 'node:assert/strict';
import { BlockList, isIP, SocketAddress } from 'node:net';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  anyContains,
  containsAddress,
  embedsFour,
  encloses,
  enclosingNetwork,
  exactNetwork,
  formatAddress,
  formatNetwork,
  hostsIn,
  intersect,
  type Network,
  nthAddress,
  parseAddress,
  parseNetwork,
  plainAddress,
  readNetwork,
} from './index.ts';

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

  it('are suggested for an address with a prefix', () => {
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
    assert.ok(anyContains([network('::/0'), network('10.0.0.0/8')], '10.1.2.3'));
    assert.ok(!anyContains([network('::/0'), network('10.0.0.0/8')], '11.1.2.3') && !anyContains([], '::1'));
    assert.ok(!anyContains([network('0.0.0.0/0')], 'git-1'));
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

describe('what other programs print', () => {
  it('is read in any spelling, as an address or a network', () => {
    const read = (text: string) => formatNetwork(readNetwork(text));
    assert.equal(read('FD64:0:0::7'), 'fd64::7/128');
    assert.equal(read('::ffff:1.2.3.4'), '::ffff:102:304/128');
    assert.equal(read('100.64.0.7'), '100.64.0.7/32');
    assert.equal(read('::/0'), '::/0');
    assert.equal(read('10.20.130.5/17'), '10.20.128.0/17');
    assert.equal(read('255.255.255.255/0'), '0.0.0.0/0');
    assert.equal(read('fd65:1:2:3ff::5/55'), 'fd65:1:2:200::/55');
  });

  it('is refused when it is neither', () => {
    const wrong = ['', '10.0.0.0/33', '10.0.0/8', '::/129', '10.0.0.0/', 'fe80::1%eth0', '10.0.0.0/8/8', '1.2.3.4\nx'];
    for (const text of wrong) assert.throws(() => readNetwork(text), /is not an address or a network/, text);
  });

  it('is a network only without bits behind the prefix', () => {
    const exact = (text: string) => {
      const found = exactNetwork(text);
      return found && formatNetwork(found);
    };
    assert.equal(exact('FD00:0::/8'), 'fd00::/8');
    assert.equal(exact('10.20.0.0/16'), '10.20.0.0/16');
    assert.equal(exact('10.20.0.1/16'), undefined);
    assert.equal(exact('fd00::1/64'), undefined);
  });
});

describe('addresses of a network', () => {
  it('enclose each other: itself and what is narrower, of its own family', () => {
    const isIn = (outer: string, inner: string) => encloses(readNetwork(outer), readNetwork(inner));
    assert.ok(isIn('10.0.0.0/8', '10.20.0.5/16'));
    assert.ok(isIn('10.20.0.5/16', '10.20.0.0/16'));
    assert.ok(isIn('::/0', 'fd65::/64'));
    assert.ok(!isIn('10.20.0.0/16', '10.0.0.0/8'));
    assert.ok(!isIn('10.20.0.0/16', '10.21.0.0/24'));
    assert.ok(!isIn('0.0.0.0/0', '::/0'));
  });

  it('are counted from the first one, and end', () => {
    assert.equal(nthAddress(network('10.213.0.0/16'), 300), '10.213.1.44');
    assert.equal(nthAddress(network('255.255.255.0/24'), 255), '255.255.255.255');
    assert.equal(nthAddress(network('fd65::/64'), 65_536), 'fd65::1:0');
    assert.throws(() => nthAddress(network('255.255.255.0/24'), 256), /has no address 256/);
  });

  it('include some that hosts have', () => {
    assert.deepEqual(hostsIn(network('10.20.0.0/16')), ['10.20.0.1', '10.20.0.2']);
    assert.deepEqual(hostsIn(network('10.20.0.6/31')), ['10.20.0.6', '10.20.0.7']);
    assert.deepEqual(hostsIn(network('fd65::/64')), ['fd65::1', 'fd65::2']);
    assert.deepEqual(hostsIn(network('fd65::8/128')), ['fd65::8']);
  });
});

describe('an IPv6 address', () => {
  it('has the spelling that Node gives it, IPv4 inside it apart', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const native = new SocketAddress({ address: text, family: 'ipv6' }).address;
        const parsed = parseAddress(text);
        assert.ok(parsed !== undefined);
        assert.equal(embedsFour(parsed), native.includes('.'), text);
        if (native.includes('.')) return;
        assert.equal(plainAddress(text), native);
        assert.equal(formatAddress(parsed), native);
      }),
    );
    assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
    assert.equal(plainAddress('::FFFF:c000:201'), '192.0.2.1');
    assert.equal(plainAddress('fe80::1%eth0'), null);
    assert.equal(plainAddress('git-1'), null);
    for (const text of ['::', '::1', '::ffff', '::1:0']) {
      const parsed = parseAddress(text);
      const native = new SocketAddress({ address: text, family: 'ipv6' }).address;
      assert.equal(parsed && embedsFour(parsed), native.includes('.'), text);
    }
  });
});
