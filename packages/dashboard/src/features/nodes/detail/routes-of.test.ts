import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptWords, routesBehind, routeWords } from './routes-of.ts';

describe('the networks behind a node', () => {
  const routes = routesBehind({
    routes_offered: ['10.30.0.0/16', '10.20.0.0/16', '10.50.0.0/16'],
    routes_approved: ['10.20.0.0/16', '10.40.0.0/16', '10.50.0.0/16'],
    routes_provided: ['10.20.0.0/16', '10.50.0.0/16'],
    routes_shared: ['10.50.0.0/16'],
    routes_overlapping: ['10.40.0.0/16'],
  });

  test('are those that it offers and those that were approved, each once', () => {
    assert.deepEqual(
      routes.map(({ cidr }) => cidr),
      ['10.20.0.0/16', '10.30.0.0/16', '10.40.0.0/16', '10.50.0.0/16'],
    );
  });

  test('say what is still missing, and for whom they are', () => {
    assert.deepEqual(routes.map(routeWords), [
      'Active for its own boundary',
      'Pending approval',
      'Approved for its own boundary; not advertised by the node',
      'Active for the whole mesh',
    ]);
  });

  test('show which of them another boundary uses too', () => {
    assert.deepEqual(
      routes.filter(({ is_overlapping }) => is_overlapping).map(({ cidr }) => cidr),
      ['10.40.0.0/16'],
    );
  });
});

test('a host that does not take all routes says so', () => {
  assert.deepEqual([acceptWords('all'), acceptWords(null)], [null, null]);
  assert.match(acceptWords('none') ?? '', /does not accept routes/);
  assert.match(acceptWords('subnets') ?? '', /no default route/);
});
