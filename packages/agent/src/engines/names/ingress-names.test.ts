import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HeldView } from '../../view/held-view.ts';
import { domainsOf, ingressNames } from './ingress-names.ts';

const named = (...hostnames: readonly string[]) =>
  hostnames.map((hostname) => ({ hostname, addresses: ['100.64.0.2'] }));

describe('host names of ingresses', () => {
  it('are left out where a coordinator has them, or lies below: it is resolved also while the agent does not run', () => {
    const view = new HeldView();
    const ingresses = named('example.org', 'mesh.example.org', 'shop.example.org');
    view.take({ revision: 1, next_s: 0, dns: { records: [], routing_domains: [], ingresses } });
    const kept = (...coordinators: string[]) => ingressNames(view, coordinators).map(({ hostname }) => hostname);
    assert.deepEqual(kept('Mesh.example.org'), ['shop.example.org']);
    assert.deepEqual(kept('a.shop.example.org'), ['mesh.example.org']);
    assert.deepEqual(kept('example.net', '192.0.2.1'), ['example.org', 'mesh.example.org', 'shop.example.org']);
    assert.deepEqual(ingressNames(new HeldView(), []), []);
  });

  it('are domains of their own for a resolver, and those of the mesh none', () => {
    assert.deepEqual(domainsOf(named('shop.example.org', 'wiki.mesh'), { most: 1, coordinators: [] }), [
      'shop.example.org',
    ]);
  });

  it('are asked for by the domains that they lie in where there are too many for a resolver', () => {
    const many = Array.from({ length: 600 }, (_, index) => `app-${index}.team-${index % 3}.example.org`);
    assert.deepEqual(domainsOf(named(...many, 'example.net'), { most: 200, coordinators: [] }), [
      'team-0.example.org',
      'team-1.example.org',
      'team-2.example.org',
      'example.net',
    ]);
    const apart = named(...many.map((_, index) => `a.shop-${index}.example.org`));
    assert.equal(domainsOf(apart, { most: 200, coordinators: [] }).length, 200);
    const beside = domainsOf(named('a.example.org', 'b.example.org', 'c.example.net'), {
      most: 2,
      coordinators: ['mesh.example.org'],
    });
    assert.deepEqual(beside, ['a.example.org', 'b.example.org'], 'no domain that a coordinator lies in');
  });
});
