import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LabError } from '../lab-error.ts';
import { MOST_NODES, planLab } from './lab-plan.ts';
import type { LabSpec } from './lab-spec.ts';
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
    assert.equal(c?.nat?.inner_address, '192.168.3.2');
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
    assert.equal(new Set(large.nodes.map(({ nat }) => nat?.inner_address)).size, MOST_NODES);
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
