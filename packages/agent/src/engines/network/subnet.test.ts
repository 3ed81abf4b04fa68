import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contains, hostsIn, networkOf, parseSubnet, subnetText } from './subnet.ts';

const networkText = (text: string) => subnetText(networkOf(parseSubnet(text)));
const isIn = (outer: string, inner: string) => contains(parseSubnet(outer), parseSubnet(inner));

describe('a network', () => {
  it('has one spelling', () => {
    assert.equal(subnetText(parseSubnet('FD64:0:0::7')), 'fd64::7/128');
    assert.equal(subnetText(parseSubnet('::ffff:1.2.3.4')), '::ffff:102:304/128');
    assert.equal(subnetText(parseSubnet('100.64.0.7')), '100.64.0.7/32');
    assert.equal(subnetText(parseSubnet('::/0')), '::/0');
  });

  it('refuses what is none', () => {
    for (const text of [
      '',
      '10.0.0.0/33',
      '10.0.0/8',
      '::/129',
      '10.0.0.0/',
      'fe80::1%eth0',
      '10.0.0.0/8/8',
      '1.2.3.4\nx',
    ]) {
      assert.throws(() => parseSubnet(text), /is no address and no network/, text);
    }
  });

  it('begins where its prefix says', () => {
    assert.equal(networkText('10.20.130.5/17'), '10.20.128.0/17');
    assert.equal(networkText('255.255.255.255/0'), '0.0.0.0/0');
    assert.equal(networkText('10.20.0.5/32'), '10.20.0.5/32');
    assert.equal(networkText('fd65:1:2:3ff::5/55'), 'fd65:1:2:200::/55');
    assert.equal(networkText('fd65::1/128'), 'fd65::1/128');
  });

  it('contains itself and what is narrower, of its own family', () => {
    assert.ok(isIn('10.0.0.0/8', '10.20.0.5/16'));
    assert.ok(isIn('10.20.0.5/16', '10.20.0.0/16'));
    assert.ok(isIn('::/0', 'fd65::/64'));
    assert.ok(!isIn('10.20.0.0/16', '10.0.0.0/8'));
    assert.ok(!isIn('10.20.0.0/16', '10.21.0.0/24'));
    assert.ok(!isIn('0.0.0.0/0', '::/0'));
  });

  it('has hosts to ask for', () => {
    assert.deepEqual(hostsIn(parseSubnet('10.20.0.0/16')), ['10.20.0.1', '10.20.0.2']);
    assert.deepEqual(hostsIn(parseSubnet('10.20.0.6/31')), ['10.20.0.6', '10.20.0.7']);
    assert.deepEqual(hostsIn(parseSubnet('fd65::/64')), ['fd65::1', 'fd65::2']);
    assert.deepEqual(hostsIn(parseSubnet('fd65::8/128')), ['fd65::8']);
  });
});
