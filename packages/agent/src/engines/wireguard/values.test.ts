import assert from 'node:assert/strict';
import { it } from 'node:test';
import { canonicalEndpoint, canonicalNetwork, isKey } from './values.ts';

it('spells a network as WireGuard reads it back, and refuses what is none', () => {
  const spellings: readonly (readonly [string, string | undefined])[] = [
    ['10.20.0.0/16', '10.20.0.0/16'],
    ['10.20.128.0/17', '10.20.128.0/17'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['100.64.0.7/32', '100.64.0.7/32'],
    ['FD00:0:0:0::/64', 'fd00::/64'],
    ['2001:db8:0:1:1:1:1:1/128', '2001:db8:0:1:1:1:1:1/128'],
    ['fd00:8000::/17', 'fd00:8000::/17'],
    ['::/0', '::/0'],
    ['10.20.0.1/16', undefined],
    ['10.20.128.0/16', undefined],
    ['fd00::1/64', undefined],
    ['fd00:8000::/16', undefined],
    ['10.20.0.0', undefined],
    ['10.20.0.0/', undefined],
    ['10.20.0.0/33', undefined],
    ['::/129', undefined],
    ['010.20.0.0/16', undefined],
    ['::ffff:10.0.0.1/128', undefined],
    ['::ffff:a00:1/128', undefined],
    ['fe80::1%eth0/128', undefined],
    ['10.20.0.0/16\nremove=true', undefined],
  ];
  for (const [text, expected] of spellings) assert.equal(canonicalNetwork(text), expected, text);
});

it('spells an endpoint as WireGuard reads it back, and refuses what is none', () => {
  const spellings: readonly (readonly [string, string | undefined])[] = [
    ['192.0.2.7:51820', '192.0.2.7:51820'],
    ['192.0.2.7:00080', '192.0.2.7:80'],
    ['[2001:DB8:0::7]:51820', '[2001:db8::7]:51820'],
    ['2001:db8::7:51820', undefined],
    ['[::ffff:192.0.2.7]:51820', undefined],
    ['[::ffff:c000:207]:51820', undefined],
    ['[192.0.2.7]:51820', '192.0.2.7:51820'],
    ['192.0.2.7:0', undefined],
    ['192.0.2.7:65536', undefined],
    ['192.0.2.700:51820', undefined],
    ['example.org:51820', undefined],
    ['192.0.2.7:51820\n', undefined],
  ];
  for (const [text, expected] of spellings) assert.equal(canonicalEndpoint(text), expected, text);
});

it('knows a key: 32 bytes in base64, spelled in the one way', () => {
  assert.ok(isKey(Buffer.alloc(32, 7).toString('base64')));
  for (const text of ['', Buffer.alloc(31).toString('base64'), `${'A'.repeat(42)}B=`, `${'A'.repeat(43)}=\n`])
    assert.equal(isKey(text), false, text);
});
