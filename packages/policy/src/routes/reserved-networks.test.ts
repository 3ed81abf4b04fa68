import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNetwork } from '@meshwork/addresses';
import { reservedProblem } from './reserved-networks.ts';

function problemWith(text: string): string | undefined {
  const network = parseNetwork(text);
  assert.ok(network !== undefined, text);
  return reservedProblem(network);
}

test('a network in a range that can never be behind a node is refused, with the range', () => {
  const inside: readonly (readonly [string, RegExp])[] = [
    ['0.0.0.0/8', /0\.0\.0\.0\/8 .*this network/],
    ['0.0.0.0/32', /in 0\.0\.0\.0\/8/],
    ['127.0.0.0/8', /loopback/],
    ['127.0.0.53/32', /in 127\.0\.0\.0\/8/],
    ['169.254.169.254/32', /in 169\.254\.0\.0\/16 \(link-local/],
    ['224.0.0.0/4', /multicast/],
    ['239.1.2.0/24', /in 224\.0\.0\.0\/4/],
    ['240.0.0.0/4', /reserved/],
    ['255.255.255.255/32', /broadcast/],
    ['::/128', /unspecified/],
    ['::1/128', /loopback/],
    ['::ffff:a00:0/104', /IPv4 addresses written as IPv6/],
    ['fe80::/10', /link-local/],
    ['fe80:0:0:1::/64', /in fe80::\/10/],
    ['ff02::/16', /multicast/],
  ];
  for (const [text, words] of inside) assert.match(problemWith(text) ?? '', words, text);
});

test('a network that merely contains such a range is refused too, and what would be right is said', () => {
  for (const text of ['128.0.0.0/1', '0.0.0.0/1', '168.0.0.0/5', '192.0.0.0/2', '224.0.0.0/3']) {
    assert.match(problemWith(text) ?? '', /contains .* name the networks that are, or 0\.0\.0\.0\/0/, text);
  }
  for (const text of ['::/1', '::/8', '8000::/1', 'fe00::/7', 'fe80::/9']) {
    assert.match(problemWith(text) ?? '', /contains .*::\/0 for everything else/, text);
  }
});

test('the default routes and ordinary networks are fine', () => {
  for (const text of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '100.64.0.0/10',
    '8.8.8.8/32',
  ]) {
    assert.equal(problemWith(text), undefined, text);
  }
  for (const text of ['fd00::/8', '2000::/3', '2001:db8::/32', '64:ff9b::/96']) {
    assert.equal(problemWith(text), undefined, text);
  }
});
