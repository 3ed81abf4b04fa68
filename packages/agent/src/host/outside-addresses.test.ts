import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hostOf, OutsideAddresses } from './outside-addresses.ts';

describe('what is reached outside of the mesh', () => {
  it('is known by its addresses, each once, and says when they are others', async () => {
    const outside = new OutsideAddresses();
    assert.equal(await outside.setHosts(['192.0.2.7', '2001:db8::7', '192.0.2.7']), true);
    assert.deepEqual(outside.all, ['192.0.2.7', '2001:db8::7']);
    assert.equal(await outside.setHosts(['192.0.2.7', '2001:db8::7']), false);
    assert.equal(await outside.setHosts(['192.0.2.7']), true);
    assert.deepEqual(outside.all, ['192.0.2.7']);
  });

  it('is looked up by name', async () => {
    const outside = new OutsideAddresses();
    await outside.setHosts(['localhost']);
    assert.ok(outside.all.includes('127.0.0.1') || outside.all.includes('::1'), outside.all.join());
  });

  it('is not forgotten, and is no failure, when its name does not resolve', async () => {
    const outside = new OutsideAddresses();
    await outside.setHosts(['nowhere.invalid', '192.0.2.7']);
    assert.deepEqual(outside.all, ['192.0.2.7']);
  });

  it('is the host of a URL, without the brackets of IPv6', () => {
    assert.equal(hostOf('https://mesh.example.org:7400/x'), 'mesh.example.org');
    assert.equal(hostOf('http://[2001:db8::7]:7400'), '2001:db8::7');
  });
});
