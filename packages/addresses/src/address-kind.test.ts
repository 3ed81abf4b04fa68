import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsableEndpoint, kindOfAddress } from './index.ts';

test('knows addresses that no peer can have', () => {
  const unusable = ['127.0.0.1', '0.0.0.0', '169.254.169.254', '224.0.0.1', '255.255.255.255', '100.100.100.200'];
  const unusable6 = [
    '::',
    '::1',
    'fe80::1',
    'ff02::1',
    'fd00:ec2::254',
    '::ffff:127.0.0.1',
    '::ffff:169.254.169.254',
    '::7f00:1',
  ];
  for (const address of [...unusable, ...unusable6, 'localhost', '', 'fe80::1%eth0']) {
    assert.equal(kindOfAddress(address), 'unusable', address);
  }
  for (const address of ['10.0.0.1', '192.168.1.1', '172.16.0.1', '100.64.0.1', 'fd00::1', '::ffff:10.0.0.1']) {
    assert.equal(kindOfAddress(address), 'private', address);
  }
  for (const address of ['192.0.2.7', '198.51.100.1', '2001:db8::7'])
    assert.equal(kindOfAddress(address), 'global', address);
});

test('an endpoint is as usable as its address', () => {
  for (const text of ['192.0.2.7:51820', '[2001:db8::7]:1', '10.0.0.1:1'])
    assert.equal(isUsableEndpoint(text), true, text);
  for (const text of ['127.0.0.1:51820', '[::1]:1', '[::ffff:7f00:1]:1', 'localhost:1', '1.2.3.4']) {
    assert.equal(isUsableEndpoint(text), false, text);
  }
});
