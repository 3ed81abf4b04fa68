import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_GUARD, type PartGuard } from '../../rollback/guarded-part.ts';
import { HeldView } from '../../view/held-view.ts';
import { guardedDomains, ownRecords } from './known-names.ts';
import { Zone } from './zone/zone.ts';

const CORP = { domain: 'corp.example', resolvers: ['10.0.0.53'] };
const OTHER = { domain: 'other.example', resolvers: ['10.0.0.54'] };

function viewWith(...names: readonly string[]): HeldView {
  const view = new HeldView();
  const records = names.map((name) => ({ name, addresses: ['10.0.0.1'] }));
  view.take({ revision: 1, next_s: 0, dns: { records, routing_domains: [CORP, OTHER] } });
  return view;
}

test('a routing domain that a coordinator lies in is guarded, and the others are not', () => {
  const held: unknown[] = [];
  const guard: PartGuard = {
    ...NO_GUARD,
    choose: (part, wanted) => {
      held.push(wanted.value);
      return { ...wanted, value: part.none, part: part.name, text: 'held back' };
    },
  };
  assert.deepEqual(guardedDomains(viewWith(), ['Mesh.corp.example'], guard).domains, [OTHER]);
  assert.deepEqual(guardedDomains(viewWith(), ['mesh.notcorp.example'], guard).domains, [CORP, OTHER]);
  assert.deepEqual(held, [[CORP], []]);
  const { domains } = guardedDomains(viewWith(), ['corp.example'], NO_GUARD);
  assert.deepEqual(
    domains.toSorted((a, b) => (a.domain < b.domain ? -1 : 1)),
    [CORP, OTHER],
  );
});

test('a record that could stand for a coordinator is left out', () => {
  const names = (...hosts: readonly string[]) =>
    ownRecords(viewWith('hub', 'wiki', '*.apps'), hosts).map(({ name }) => name);
  assert.deepEqual(names('hub.mesh'), ['wiki', '*.apps']);
  assert.deepEqual(names('HUB'), ['wiki', '*.apps']);
  assert.deepEqual(names('hub.example.org'), ['wiki', '*.apps'], 'found by a search domain');
  assert.deepEqual(names('mesh.example.org'), ['hub', 'wiki', '*.apps']);
  assert.deepEqual(ownRecords(new HeldView(), []), []);
});

test('a wildcard that covers a coordinator does not answer for it, and does for all others', () => {
  const zone = new Zone();
  const found = (host: string, name: string) => {
    zone.setRecords(ownRecords(viewWith('*.apps', '*.example.org'), [host]));
    return zone.find(name)?.addresses;
  };
  assert.deepEqual(found('Hub.apps.mesh', 'hub.apps'), []);
  assert.deepEqual(found('hub.apps.mesh', 'git.apps'), ['10.0.0.1']);
  assert.deepEqual(found('hub.example.org', 'hub.example.org'), [], 'found by a search domain');
  assert.deepEqual(found('hub.example.org', 'git.example.org'), ['10.0.0.1']);
  assert.deepEqual(found('myapps', 'myapps.apps'), ['10.0.0.1']);
});
