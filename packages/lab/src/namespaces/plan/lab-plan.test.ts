import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LabError } from '../lab-error.ts';
import { MOST_NODES, planLab, plannedNode } from './lab-plan.ts';
import type { LabSpec } from './lab-spec.ts';
import { movedPlan } from './moved-plan.ts';
import { namespacesOf, plannedPlace } from './places.ts';

const FOUR: LabSpec = {
  name: 'four',
  nodes: [
    { name: 'a', tags: ['role:git'] },
    { name: 'b' },
    { name: 'c', nat: true, routes: ['10.9.0.0/16'] },
    { name: 'd' },
  ],
  subnets: [{ cidr: '10.50.0.0/24', providers: ['a', 'c'] }],
};

describe('the plan of a lab', () => {
  const plan = planLab(FOUR);

  test('gives every place a namespace that tells which lab it is of', () => {
    const names = ['net', 'a', 'b', 'c', 'd', 'nat-c', 'host-1'].map((place) => `meshlab-four-${place}`);
    assert.deepEqual(namespacesOf(plan), names);
    assert.equal(plannedPlace(plan, 'host-1').namespace, 'meshlab-four-host-1');
  });

  test('gives a node the addresses that others see it at', () => {
    const [a, , c] = plan.nodes;
    assert.equal(a?.address, '10.213.0.10');
    assert.equal(a?.address6, 'fd5a:1ab7:400e::a');
    assert.equal(c?.address, '10.213.0.12');
    assert.equal(c?.address6, null);
    assert.equal(c?.inner_address, '192.168.3.12');
  });

  test('lets those offer a subnet that lead to it', () => {
    assert.deepEqual(
      plan.nodes.map(({ routes }) => routes),
      [['10.50.0.0/24'], [], ['10.50.0.0/24', '10.9.0.0/16'], []],
    );
    assert.deepEqual(plan.subnets[0]?.providers, [
      { node: 'a', interface: 'eth1', address: '10.50.0.2' },
      { node: 'c', interface: 'eth1', address: '10.50.0.3' },
    ]);
    assert.equal(plan.subnets[0]?.host.address, '10.50.0.10');
  });

  test('gives no address and no port twice in the largest lab', () => {
    const nodes = Array.from({ length: MOST_NODES }, (_, index) => ({ name: `n${index}`, nat: true }));
    const large = planLab({ name: 'large', nodes });
    for (const field of ['address', 'port', 'namespace'] as const) {
      assert.equal(new Set(large.nodes.map((node) => node[field])).size, MOST_NODES, field);
    }
    assert.equal(new Set(large.nodes.map(({ inner_address }) => inner_address)).size, MOST_NODES);
  });
});

describe('a lab that cannot be', () => {
  const cases: Readonly<Record<string, [change: Partial<LabSpec>, message: RegExp]>> = {
    'a name with a dash': [{ name: 'a-b' }, /letters \(a-z\) and digits, not "a-b"/],
    'no nodes': [{ nodes: [], subnets: [] }, /1 to 200 nodes/],
    'two of a name': [{ nodes: [{ name: 'a' }, { name: 'a' }], subnets: [] }, /two nodes are called "a"/],
    'a node that no mesh would take': [{ nodes: [{ name: 'A' }] }, /cannot be called "A"/],
    'a node with the name of a place': [{ nodes: [{ name: 'net' }] }, /"net": the lab has a place of its own/],
    'a subnet that is none': [{ subnets: [{ cidr: '10.50.0.1/24', providers: ['a'] }] }, /not "10\.50\.0\.1\/24"/],
    'a subnet without a provider': [{ subnets: [{ cidr: '10.50.0.0/24', providers: [] }] }, /needs 1 to 8 nodes/],
    'a subnet that a stranger leads to': [
      { subnets: [{ cidr: '10.50.0.0/24', providers: ['x'] }] },
      /no node "x" to lead to 10\.50\.0\.0\/24/,
    ],
    'a subnet where the nodes are': [
      { subnets: [{ cidr: '10.0.0.0/8', providers: ['a'] }] },
      /meets 10\.213\.0\.0\/16/,
    ],
    'a subnet behind a router': [
      { subnets: [{ cidr: '192.168.0.0/16', providers: ['a'] }] },
      /meets the network that c has behind its router/,
    ],
    'two subnets that meet': [
      {
        subnets: [
          { cidr: '10.50.0.0/24', providers: ['a'] },
          { cidr: '10.50.0.0/25', providers: ['b'] },
        ],
      },
      /10\.50\.0\.0\/24 and 10\.50\.0\.0\/25 meet/,
    ],
  };
  for (const [name, [change, message]] of Object.entries(cases)) {
    test(name, () => {
      assert.throws(
        () => planLab({ ...FOUR, ...change }),
        (error) => error instanceof LabError && error.fault === 'usage' && message.test(error.message),
      );
    });
  }
});

const HOMES: LabSpec = {
  name: 'homes',
  nodes: [{ name: 'pub' }, { name: 'a', site: 'home' }, { name: 'b', site: 'six' }, { name: 'c', nat: true }],
  sites: [
    { name: 'home', nat: 'symmetric', behind: 'carrier' },
    { name: 'carrier', nat: 'port-restricted' },
    { name: 'six', families: 'ipv6-only' },
  ],
};

describe('the plan of a lab with sites', () => {
  const plan = planLab(HOMES);
  const node = (name: string) => plan.nodes.find((each) => each.name === name);
  const site = (name: string) => plan.sites.find((each) => each.name === name);

  test('has addresses that look public outside, and the carrier of a site before it', () => {
    assert.equal(node('pub')?.address, '203.0.113.10');
    assert.equal(node('pub')?.address6, '2001:db8::a');
    assert.deepEqual(
      plan.sites.map(({ name, port }) => [name, port]),
      [
        ['carrier', 'w2'],
        ['six', 'w3'],
        ['home', 'w2'],
        ['c', 'p4'],
      ],
    );
    assert.deepEqual(
      namespacesOf(plan).slice(5),
      ['nat-carrier', 'nat-six', 'nat-home', 'nat-c'].map((each) => `meshlab-homes-${each}`),
    );
  });

  test('sees a node at the outermost router, and one without IPv4 at its own address', () => {
    assert.deepEqual([node('a')?.address, node('a')?.inner_address], ['198.51.100.11', '192.168.201.11']);
    assert.deepEqual(site('home')?.four?.address, '100.64.202.10');
    assert.deepEqual([node('b')?.address, node('b')?.inner_address], ['2001:db8:102::c', null]);
    assert.deepEqual([node('c')?.address, node('c')?.inner_address], ['203.0.113.13', '192.168.4.13']);
  });

  test('gives a node its own address wherever it moves', () => {
    const moved = movedPlan(plan, 'pub', 'six');
    assert.equal(plannedNode(moved, 'pub').address, '2001:db8:102::a');
    assert.deepEqual(movedPlan(moved, 'pub', 'internet'), plan);
    assert.throws(() => movedPlan(plan, 'c', 'internet'), /c has a router of its own/);
    assert.throws(() => movedPlan(planLab(FOUR), 'a', 'internet'), /no site "internet" in the lab "four"; it has none/);
  });

  const cases: Readonly<Record<string, [change: Partial<LabSpec>, message: RegExp]>> = {
    'two sites of a name': [{ sites: [{ name: 'home' }, { name: 'home' }] }, /two sites are called "home"/],
    'a site that no name fits': [{ sites: [{ name: 'Home' }] }, /a site cannot be called "Home"/],
    'a site with the name of a node': [{ sites: [{ name: 'pub' }] }, /a node and a site are called "pub"/],
    'a site outside of all': [{ sites: [{ name: 'internet' }] }, /a site cannot be called "internet"/],
    'a node in no site': [{ sites: [{ name: 'x' }] }, /there is no site "home" for a to be in/],
    'a node with two routers': [{ nodes: [{ name: 'a', site: 'home', nat: true }] }, /has a router already/],
    'a node between carrier and customer': [{ nodes: [{ name: 'a', site: 'carrier' }] }, /has no nodes of its own/],
    'a carrier that is not there': [{ sites: [{ name: 'home', behind: 'x' }] }, /no site "x" for home to be behind/],
    'three routers in a row': [
      { sites: [{ name: 'home', behind: 'b' }, { name: 'b', behind: 'c' }, { name: 'c' }] },
      /two routers in a row are the most/,
    ],
    'IPv6 behind a carrier': [
      { sites: [{ name: 'home', behind: 'b', families: 'dual-stack' }, { name: 'b' }] },
      /IPv4 alone between them/,
    ],
    'a hairpin where Linux has none': [{ sites: [{ name: 'home', hairpin: true }] }, /masquerade, .* no hairpin/],
    'a network inside that is public': [{ sites: [{ name: 'home', lan: '8.8.8.0/24' }] }, /a private \/24, .* not "8/],
    'too many': [{ sites: Array.from({ length: 51 }, (_, index) => ({ name: `s${index}` })) }, /up to 50 sites/],
    'a subnet on the internet': [
      { subnets: [{ cidr: '198.51.0.0/16', providers: ['pub'] }] },
      /meets 198\.51\.100\.0\/24, which joins the nodes/,
    ],
    'a subnet that a site has': [
      { subnets: [{ cidr: '192.168.0.0/16', providers: ['pub'] }] },
      /meets the network that home has behind its router/,
    ],
  };
  for (const [name, [change, message]] of Object.entries(cases)) {
    test(`refuses ${name}`, () => {
      assert.throws(
        () => planLab({ ...HOMES, ...change }),
        (error) => error instanceof LabError && error.fault === 'usage' && message.test(error.message),
      );
    });
  }
});
