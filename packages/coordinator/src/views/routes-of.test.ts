import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeId, Scope } from '@meshwork/contract';
import fc from 'fast-check';
import { Model } from '../mesh/model.ts';
import { routeId } from '../mesh/route-id.ts';
import { RoutesOf } from './routes-of.ts';

const boundary = (team: string): Scope => ({ team, surface: '*', environment: '*' });
const route = (team: string, cidr: string, provider: string | null) => ({
  kind: 'route' as const,
  id: routeId(boundary(team), cidr),
  body: provider === null ? null : { boundary: boundary(team), cidr, provider: provider as NodeId },
});
const NET = '10.20.0.0/16';

test('a node that moves to another boundary forwards to what it forwarded to, in whichever order that is written', () => {
  for (const order of [(changes: object[]) => changes, (changes: object[]) => changes.toReversed()]) {
    const model = new Model();
    const routes = new RoutesOf(model);
    model.apply(1, [route('red', NET, 'gw')]);
    model.apply(2, order([route('blue', NET, 'gw'), route('red', NET, null)]) as ReturnType<typeof route>[]);
    assert.deepEqual(routes.of('gw'), [NET]);
    model.apply(3, [route('blue', NET, null)]);
    assert.deepEqual([...routes.all()], []);
  }
});

test('what nodes forward to is what a walk over everything would find', () => {
  const change = fc.record({
    team: fc.constantFrom('red', 'blue'),
    cidr: fc.constantFrom(NET, '10.30.0.0/16'),
    provider: fc.option(fc.constantFrom('gw-1', 'gw-2')),
  });
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const model = new Model();
      const routes = new RoutesOf(model);
      for (const [at, { team, cidr, provider }] of changes.entries())
        model.apply(at + 1, [route(team, cidr, provider)]);
      const walked = Map.groupBy(model.all('route'), ({ body }) => body.provider);
      assert.deepEqual([...routes.all()].map(([node]) => node).sort(), [...walked.keys()].sort());
      for (const [node, docs] of walked) assert.deepEqual(routes.of(node), docs.map(({ body }) => body.cidr).sort());
    }),
  );
});
