import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contains, network, nth, overlap } from './ipv4-network.ts';

describe('an IPv4 network', () => {
  test('is read', () => {
    assert.deepEqual(network('10.50.0.0/24'), { first: 171_048_960, prefix: 24 });
    assert.deepEqual(network('0.0.0.0/0'), { first: 0, prefix: 0 });
    assert.deepEqual(network('255.255.255.255/32'), { first: 4_294_967_295, prefix: 32 });
  });

  test('is not read when it is none', () => {
    const wrong = [
      '',
      '10.50.0.0',
      '10.50.0.1/24',
      '10.50.0.0/33',
      '10.50.0/24',
      '10.50.0.256/32',
      '10.050.0.0/24',
      'fd00::/8',
    ];
    for (const text of wrong) assert.equal(network(text), undefined, text);
  });

  test('has addresses by number', () => {
    assert.equal(nth('10.213.0.0/16', 10), '10.213.0.10');
    assert.equal(nth('10.213.0.0/16', 300), '10.213.1.44');
    assert.equal(nth('255.255.255.0/24', 255), '255.255.255.255');
  });

  test('meets another or does not', () => {
    assert.ok(overlap('10.0.0.0/8', '10.213.0.0/16'));
    assert.ok(overlap('10.213.0.0/16', '10.0.0.0/8'));
    assert.ok(!overlap('10.50.0.0/24', '10.50.1.0/24'));
    assert.ok(contains('192.168.4.0/24', '192.168.4.2'));
    assert.ok(!contains('192.168.4.0/24', '192.168.5.2'));
  });
});
