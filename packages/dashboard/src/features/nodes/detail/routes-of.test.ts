import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { routesBehind, routeWords } from './routes-of.ts';

describe('the networks behind a node', () => {
  const routes = routesBehind({
    routes_offered: ['10.30.0.0/16', '10.20.0.0/16'],
    routes_approved: ['10.20.0.0/16', '10.40.0.0/16'],
    routes_provided: ['10.20.0.0/16'],
  });

  test('are those that it offers and those that were approved, each once', () => {
    assert.deepEqual(
      routes.map(({ cidr }) => cidr),
      ['10.20.0.0/16', '10.30.0.0/16', '10.40.0.0/16'],
    );
  });

  test('say what is still missing', () => {
    assert.deepEqual(routes.map(routeWords), [
      'In use through this node',
      'Waits for approval',
      'Approved; the node does not offer it',
    ]);
  });
});
