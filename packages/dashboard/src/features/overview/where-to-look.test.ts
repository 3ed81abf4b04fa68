import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { whereToLook } from './where-to-look.ts';

const about = (kind: 'node' | 'route' | 'ingress' | 'relay', id: string) =>
  whereToLook({ kind: 'node_stale', subject: { kind, id, name: 'its-name' } });

describe('where to look', () => {
  test('is the page of what needs attention', () => {
    assert.deepEqual(about('node', 'node_1'), { place: { to: '/nodes/node_1', label: 'Open the node' } });
    assert.deepEqual(about('relay', 'fra-1'), {
      place: { to: '/nodes', search: { relay: 'fra-1' }, label: 'Nodes of the relay' },
    });
  });

  test('is an address in the network that nobody forwards to', () => {
    const asked = (cidr: string) => {
      const where = about('route', cidr);
      return 'place' in where ? where.place.search?.to : undefined;
    };
    assert.equal(asked('10.20.0.0/16'), '10.20.0.1');
    assert.equal(asked('fd00:20::/64'), 'fd00:20::1');
    assert.equal(asked('10.20.0.7/32'), '10.20.0.7');
  });

  test('is a command where there is no page', () => {
    assert.deepEqual(about('ingress', 'ingress_1'), { command: 'mesh ingress show its-name' });
  });
});
