import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readNetwork } from '@meshwork/addresses';
import { Endpoint, Endpoints } from '@meshwork/contract';
import { interfaces } from '../../test/endpoint-interfaces.ts';
import { candidates, type Found, MAX_ENDPOINTS } from './candidates.ts';
import { localAddresses } from './local-addresses.ts';

const MESH = ['100.64.0.0/10', 'fd64::/48'].map(readNetwork);

/** The endpoints that a host with these addresses by interface reports. */
function endpointsOf(
  addresses: Readonly<Record<string, readonly string[]>>,
  more: Partial<Found> = {},
): readonly string[] {
  const local = localAddresses(interfaces(addresses), more.mesh ?? MESH);
  const nothing = { mesh: MESH, port_mappings: [], public_addresses: [], seen_as: null, forwarded: null };
  return candidates({ port: 51_820, local, ...nothing, ...more });
}

describe('own addresses', () => {
  it('come with the port of WireGuard, in the spelling of the contract', () => {
    const list = endpointsOf({ eth0: ['192.0.2.7', '2001:DB8:0:0::7', 'FD00:0::1'] });
    assert.deepEqual(list, ['192.0.2.7:51820', '[2001:db8::7]:51820', '[fd00::1]:51820']);
    for (const endpoint of list) assert.match(endpoint, new RegExp(patternOf(Endpoint)));
  });

  it('come global first, then private, then those of bridges and tunnels, and IPv4 before IPv6', () => {
    const list = endpointsOf({
      'br-12ab': ['172.18.0.1'],
      docker0: ['172.17.0.1', '2001:db8:d::1'],
      eth0: ['fd00::5', '10.0.0.5', '2001:db8::5', '192.0.2.5'],
      eth1: ['198.51.100.1', '192.168.1.5'],
      veth0a: ['169.254.1.1', '10.1.1.1'],
      vmbr0: ['10.9.0.1'],
    });
    assert.deepEqual(
      list.map((endpoint) => endpoint.replace(':51820', '')),
      [
        ...['192.0.2.5', '198.51.100.1', '[2001:db8::5]'],
        ...['10.0.0.5', '192.168.1.5', '10.9.0.1', '[fd00::5]'],
        ...['172.18.0.1', '172.17.0.1', '10.1.1.1', '[2001:db8:d::1]'],
      ],
    );
  });

  const useless = {
    'of the mesh interface': { mesh0: ['192.0.2.1'] },
    'of the mesh, on whatever interface': { eth0: ['100.64.0.7', 'fd64::7'] },
    'of the loopback interface': { lo: ['192.0.2.1', '127.0.0.1', '::1'] },
    'loopback, on another interface': { eth0: ['127.0.0.2', '::1'] },
    'link-local': { eth0: ['169.254.7.7', 'fe80::1', 'febf::1'] },
    multicast: { eth0: ['224.0.0.1', '239.1.1.1', 'ff02::1', 'ff0e::1'] },
    'no addresses of a host': { eth0: ['0.0.0.0', '255.255.255.255', '::', '192.0.0.4'] },
    'with a zone': { eth0: ['2001:db8::1%eth0'] },
  };
  for (const [what, addresses] of Object.entries(useless)) {
    it(`are left out when they are ${what}`, () => assert.deepEqual(endpointsOf(addresses), []));
  }

  it('of a carrier stay, unless the mesh uses that network', () => {
    const mesh = [readNetwork('10.64.0.0/16')];
    assert.deepEqual(endpointsOf({ eth0: ['100.80.0.1'] }, { mesh }), ['100.80.0.1:51820']);
  });

  it('come in the same order, whatever order the kernel has them in', () => {
    const some = ['2001:db8::3', '2001:db8::1', '192.0.2.9', '2001:db8::2', '192.0.2.10', '10.0.0.1'];
    const forward = endpointsOf({ eth0: some, eth1: ['192.0.2.1'] });
    assert.deepEqual(endpointsOf({ eth1: ['192.0.2.1'], eth0: some.toReversed() }), forward);
  });

  it('of IPv6 are a few of each interface, global ones first', () => {
    const six = Array.from({ length: 9 }, (_, index) => `2001:db8::${index + 1}`);
    const list = endpointsOf({ eth0: ['fd00::1', ...six], eth1: ['fd01::1'] });
    assert.deepEqual(
      list,
      ['2001:db8::1', '2001:db8::2', '2001:db8::3', 'fd01::1'].map((one) => `[${one}]:51820`),
    );
  });

  it('are listed once each, and no more than the contract allows', () => {
    assert.equal((Endpoints as { maxItems?: number }).maxItems, MAX_ENDPOINTS);
    const many = Array.from({ length: 30 }, (_, index) => `192.0.2.${index + 1}`);
    assert.equal(endpointsOf({ eth0: many }).length, MAX_ENDPOINTS);
    assert.deepEqual(endpointsOf({ eth0: ['192.0.2.1'], eth1: ['192.0.2.1'] }), ['192.0.2.1:51820']);
  });
});

describe('the address of a NAT', () => {
  const home = { eth0: ['192.168.1.5', '2001:db8::5'] };
  const around = (...middle: readonly string[]) => ['[2001:db8::5]:51820', ...middle, '192.168.1.5:51820'];
  const start = [{ address: '203.0.113.1', port: 40_001 }];
  const cases: readonly (readonly [string, Partial<Found>, readonly string[]])[] = [
    ['as the coordinator sees it', { seen_as: '203.0.113.1' }, around('203.0.113.1:51820')],
    ['as the relay sees it', { public_addresses: ['203.0.113.1'] }, around('203.0.113.1:51820')],
    [
      'as both see it, the relay first',
      { public_addresses: ['203.0.113.1'], seen_as: '203.0.113.2' },
      around('203.0.113.1:51820', '203.0.113.2:51820'),
    ],
    [
      'with the port that it had at the start',
      { public_addresses: ['203.0.113.1'], port_mappings: start },
      around('203.0.113.1:40001'),
    ],
    [
      'with that port also where only the coordinator sees it',
      { seen_as: '203.0.113.1', port_mappings: start },
      around('203.0.113.1:40001'),
    ],
    [
      'with our own port at an address that is new since',
      { public_addresses: ['203.0.113.9'], port_mappings: start },
      around('203.0.113.9:51820'),
    ],
    [
      'once, if both see the same',
      { public_addresses: ['203.0.113.1'], seen_as: '203.0.113.1' },
      around('203.0.113.1:51820'),
    ],
    ['in its plain spelling', { seen_as: '::FFFF:203.0.113.1' }, around('203.0.113.1:51820')],
    ['not if it is our own', { seen_as: '2001:DB8::5', public_addresses: ['192.168.1.5'] }, around()],
    ['even if it is private', { seen_as: '10.0.0.7' }, around('10.0.0.7:51820')],
    ['not if it is of the mesh', { seen_as: '100.64.0.3', public_addresses: ['fd64::3'] }, around()],
    ['not if it is loopback', { seen_as: '127.0.0.1', public_addresses: ['::1'] }, around()],
    ['not if it is no address', { seen_as: 'unknown' }, around()],
  ];
  for (const [how, found, expected] of cases) {
    it(`is reported ${how}`, () => assert.deepEqual(endpointsOf(home, found), expected));
  }

  it('is none when it is our own, which keeps its place', () => {
    const own = { eth0: ['192.168.1.5', '192.168.1.6'] };
    assert.deepEqual(endpointsOf(own, { seen_as: '192.168.1.6' }), ['192.168.1.5:51820', '192.168.1.6:51820']);
  });
});

function patternOf(schema: object): string {
  assert.ok('pattern' in schema && typeof schema.pattern === 'string');
  return schema.pattern;
}

describe('a port that the router maps', () => {
  const home = { eth0: ['192.168.1.5'] };
  const forwarded = { address: '203.0.113.1', port: 40_001 };
  const cases: readonly (readonly [string, Partial<Found>, readonly string[]])[] = [
    ['comes first', { forwarded }, ['203.0.113.1:40001', '192.168.1.5:51820']],
    [
      'comes before the same address with another port',
      { forwarded, public_addresses: ['203.0.113.1'] },
      ['203.0.113.1:40001', '203.0.113.1:51820', '192.168.1.5:51820'],
    ],
    [
      'is once in the list',
      { forwarded, seen_as: '203.0.113.1', port_mappings: [forwarded] },
      ['203.0.113.1:40001', '192.168.1.5:51820'],
    ],
    [
      'is not believed where others see another address',
      { forwarded, seen_as: '203.0.113.9' },
      ['203.0.113.9:51820', '192.168.1.5:51820'],
    ],
    [
      'is believed where others see what says nothing of it',
      { forwarded, seen_as: '10.0.0.7', public_addresses: ['2001:db8::5'] },
      ['203.0.113.1:40001', '[2001:db8::5]:51820', '10.0.0.7:51820', '192.168.1.5:51820'],
    ],
    ['is left out at a private address', { forwarded: { address: '10.0.0.7', port: 1 } }, ['192.168.1.5:51820']],
    [
      'is left out at an address of the mesh',
      { forwarded, mesh: [readNetwork('203.0.113.0/24')] },
      ['192.168.1.5:51820'],
    ],
  ];
  for (const [how, found, expected] of cases) {
    it(how, () => assert.deepEqual(endpointsOf(home, found), expected));
  }
});
