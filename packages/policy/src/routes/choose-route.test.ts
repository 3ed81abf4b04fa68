import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '@meshwork/addresses';
import fc from 'fast-check';
import { chooseRoutes, type RouteOption, routeOptions, routeTo } from './choose-route.ts';

const NET = '10.20.0.0/16';

function taken(options: readonly RouteOption[], to: string, accept: Parameters<typeof chooseRoutes>[1] = 'all') {
  const address = parseAddress(to);
  assert.ok(address !== undefined);
  return routeTo(chooseRoutes(options, accept), address)?.provider;
}

test('a provider of the own boundary wins over a named one, and that over a shared one', () => {
  const shared: RouteOption = { network: NET, provider: 'node_1', source: 'shared' };
  const named: RouteOption = { network: NET, provider: 'node_2', source: 'via' };
  const own: RouteOption = { network: NET, provider: 'node_3', source: 'own' };
  assert.equal(taken([shared, named, own], '10.20.1.1'), 'node_3');
  assert.equal(taken([shared, named], '10.20.1.1'), 'node_2');
  assert.equal(taken([shared], '10.20.1.1'), 'node_1');
});

test('among equals the one that has been a member for longest wins, whatever it is called', () => {
  const options = ['node_3', 'node_1', 'node_2'].map(
    (provider): RouteOption => ({ network: NET, provider, source: 'own' }),
  );
  assert.equal(taken(options, '10.20.1.1'), 'node_1');
});

test('the longest prefix goes first', () => {
  const wide: RouteOption = { network: NET, provider: 'node_1', source: 'own' };
  const narrow: RouteOption = { network: '10.20.1.0/24', provider: 'node_2', source: 'shared' };
  assert.equal(taken([wide, narrow], '10.20.1.1'), 'node_2');
  assert.equal(taken([wide, narrow], '10.20.2.1'), 'node_1');
  assert.equal(taken([wide, narrow], '10.21.0.1'), undefined);
  assert.equal(taken([wide, narrow], 'fd00::1'), undefined);
});

test('a host takes what it accepts', () => {
  const options: readonly RouteOption[] = [
    { network: '0.0.0.0/0', provider: 'node_1', source: 'own' },
    { network: '::/0', provider: 'node_1', source: 'own' },
    { network: NET, provider: 'node_2', source: 'own' },
  ];
  const networks = (accept: Parameters<typeof chooseRoutes>[1]) => [...chooseRoutes(options, accept).keys()];
  assert.deepEqual(networks('all'), ['0.0.0.0/0', '::/0', NET]);
  assert.deepEqual(networks('subnets'), [NET]);
  assert.deepEqual(networks('none'), []);
  assert.deepEqual(networks(null), ['0.0.0.0/0', '::/0', NET], 'an agent that does not say takes all');
});

test('the terms with a peer say why each of its networks may be used', () => {
  const terms = {
    routes: ['10.1.0.0/16', '10.2.0.0/16', '10.3.0.0/16'],
    routes_via: ['10.2.0.0/16'],
    routes_shared: ['10.3.0.0/16'],
  };
  assert.deepEqual(
    [...routeOptions('node_1', terms)].map(({ source }) => source),
    ['own', 'via', 'shared'],
  );
});

test('the choice does not depend on the order, and another boundary never wins over the own one', () => {
  const option: fc.Arbitrary<RouteOption> = fc.record({
    network: fc.constantFrom(NET, '10.20.1.0/24', '0.0.0.0/0'),
    provider: fc.integer({ min: 0, max: 9 }).map((number) => `node_${number}`),
    source: fc.constantFrom('own' as const, 'via' as const, 'shared' as const),
  });
  fc.assert(
    fc.property(fc.array(option, { maxLength: 12 }), (options) => {
      const chosen = chooseRoutes(options, 'all');
      const other = chooseRoutes(options.toReversed(), 'all');
      for (const [network, { source, provider }] of chosen) {
        const rivals = options.filter((one) => one.network === network);
        assert.equal(other.get(network)?.provider, provider);
        assert.equal(
          source === 'own',
          rivals.some((one) => one.source === 'own'),
        );
        const equals = rivals.filter((one) => one.source === source).map((one) => one.provider);
        assert.equal(provider, equals.toSorted()[0]);
      }
      assert.deepEqual(new Set(chosen.keys()), new Set(options.map(({ network }) => network)));
    }),
  );
});
