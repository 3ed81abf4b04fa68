import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readNetwork } from '@meshwork/addresses';
import { addressOfReverse, reverseZones } from './reverse-name.ts';
import { Zone, type ZoneNode } from './zone.ts';

const node = (name: string, last: number, ...services: (readonly [string, 'tcp' | 'udp', number])[]): ZoneNode => ({
  name,
  address: `100.64.0.${last}/32`,
  address6: `fd64::${last.toString(16)}/128`,
  services: services.map(([service, protocol, port]) => ({ name: service, protocol, port })),
});

describe('the zone', () => {
  it('has nodes by name and by address, and forgets what is removed', () => {
    const zone = new Zone();
    const git = node('git-1', 7);
    zone.put(git);
    assert.deepEqual(zone.find('git-1'), { addresses: ['100.64.0.7', 'fd64::7'] });
    assert.deepEqual([zone.nameAt('100.64.0.7'), zone.nameAt('fd64::7')], ['git-1', 'git-1']);
    const moved = node('git-1', 8);
    zone.put(moved);
    assert.equal(zone.nameAt('100.64.0.7'), undefined);
    zone.remove(git); // it has the name no more
    assert.deepEqual(zone.find('git-1')?.addresses, ['100.64.0.8', 'fd64::8']);
    zone.remove(moved);
    assert.deepEqual([zone.find('git-1'), zone.nameAt('fd64::8'), zone.size], [undefined, undefined, 0]);
  });

  it('has an address for a service with each of its nodes, and ports by SRV', () => {
    const zone = new Zone();
    zone.put(node('web-1', 1, ['web', 'tcp', 80], ['dns', 'udp', 53]));
    zone.put(node('web-2', 2, ['web', 'tcp', 8080]));
    assert.deepEqual(zone.find('web.svc')?.addresses, ['100.64.0.1', 'fd64::1', '100.64.0.2', 'fd64::2']);
    assert.deepEqual(zone.find('_web._tcp')?.services, [
      { port: 80, target: 'web-1' },
      { port: 8080, target: 'web-2' },
    ]);
    assert.deepEqual(zone.find('_web._tcp.web-2')?.services, [{ port: 8080, target: 'web-2' }]);
    assert.deepEqual(zone.find('_dns._udp.web-1')?.services, [{ port: 53, target: 'web-1' }]);
    for (const there of ['svc', '_tcp', '_udp', '_tcp.web-1']) assert.deepEqual(zone.find(there), {}, there);
    for (const none of ['_web._udp', '_web._tcp.web-3', '_udp.web-2', 'mail.svc', 'a.web.svc']) {
      assert.equal(zone.find(none), undefined, none);
    }
    zone.remove(node('web-1', 9)); // another node, which had the name before
    assert.ok(zone.find('web-1'));
    zone.remove(node('web-1', 1)); // the same node, as it was received later
    assert.equal(zone.find('web-1'), undefined);
    assert.deepEqual([zone.find('_dns._udp'), zone.find('_web._tcp')?.services?.length], [undefined, 1]);
    zone.clearNodes();
    for (const gone of ['web.svc', 'svc', '_tcp', 'web-1']) assert.equal(zone.find(gone), undefined, gone);
  });

  it('names a few nodes of a large service, and others the next time', () => {
    const zone = new Zone();
    for (let last = 1; last <= 40; last++) zone.put(node(`web-${last}`, last, ['web', 'tcp', 80]));
    const seen = new Set<string>();
    for (let turn = 0; turn < 5; turn++) {
      const found = zone.find('_web._tcp')?.services ?? [];
      assert.ok(found.length > 0 && found.length <= 16);
      for (const { target } of found) seen.add(target);
    }
    assert.equal(seen.size, 40);
  });

  it('has records, of which a wildcard covers what is below it and has no name of its own', () => {
    const zone = new Zone();
    zone.put(node('git-1', 7));
    zone.setRecords([
      { name: 'wiki', cname: 'git-1.mesh' },
      { name: '*.apps', addresses: ['10.0.0.1'] },
      { name: 'x.own.apps', addresses: ['10.0.0.2'] },
      { name: '*.git-1', addresses: ['10.0.0.3'] },
    ]);
    assert.deepEqual(zone.find('wiki'), { cname: 'git-1.mesh' });
    assert.deepEqual(zone.find('a.apps')?.addresses, ['10.0.0.1']);
    assert.deepEqual(zone.find('b.a.apps')?.addresses, ['10.0.0.1']);
    assert.deepEqual(zone.find('a.git-1')?.addresses, ['10.0.0.3']);
    assert.deepEqual(zone.find('apps'), {}, 'it is there, with nothing of its own');
    assert.deepEqual(zone.find('own.apps'), {});
    assert.equal(zone.find('y.own.apps'), undefined, 'a closer name hides the wildcard');
    for (const none of ['a.wiki', 'unknown', 'a.b.unknown', '']) assert.equal(zone.find(none), undefined, none);
    zone.setRecords([]);
    assert.equal(zone.find('a.apps'), undefined);
  });
});

describe('reverse names', () => {
  it('stand for addresses', () => {
    assert.equal(addressOfReverse('7.0.64.100.in-addr.arpa'), '100.64.0.7');
    const six = `7.${'0.'.repeat(27)}4.6.d.f.ip6.arpa`;
    assert.equal(addressOfReverse(six), 'fd64::7');
    for (const none of ['64.100.in-addr.arpa', '300.0.64.100.in-addr.arpa', '4.6.d.f.ip6.arpa', 'git-1.mesh']) {
      assert.equal(addressOfReverse(none), undefined, none);
    }
  });

  it('have zones by network', () => {
    assert.deepEqual(reverseZones(readNetwork('10.20.0.0/16')), ['20.10.in-addr.arpa']);
    const pool = reverseZones(readNetwork('100.64.0.0/10'));
    assert.deepEqual([pool.length, pool[0], pool.at(-1)], [64, '64.100.in-addr.arpa', '127.100.in-addr.arpa']);
    assert.deepEqual(reverseZones(readNetwork('fd4c:9a1e:77b0::/64')), ['0.0.0.0.0.b.7.7.e.1.a.9.c.4.d.f.ip6.arpa']);
    assert.deepEqual(reverseZones(readNetwork('0.0.0.0/0')), []);
  });
});
