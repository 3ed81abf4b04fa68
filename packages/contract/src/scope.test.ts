import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Check } from 'typebox/value';
import { covers, isWholeMesh, WHOLE_MESH } from './boundary.ts';
import { Scope } from './scope.ts';

/** Two names that scopes use, and one that none does: `*` means that one too. */
const NAMES = ['a', 'b', 'elsewhere'];
const PLACES = NAMES.flatMap((team) =>
  NAMES.flatMap((surface) => NAMES.map((environment) => ({ team, surface, environment }))),
);
const member = fc.constantFrom('*', 'a', 'b');
const scopes = fc.record({ team: member, surface: member, environment: member });

const inside = (place: Scope, scope: Scope) =>
  (['team', 'surface', 'environment'] as const).every((key) => scope[key] === '*' || scope[key] === place[key]);

test('a scope covers another when every place inside the other is inside it', () => {
  fc.assert(
    fc.property(scopes, scopes, (outer, inner) => {
      const obviously = PLACES.filter((place) => inside(place, inner)).every((place) => inside(place, outer));
      assert.equal(covers(outer, inner), obviously);
    }),
    { numRuns: 2000 },
  );
});

test('only the whole mesh covers everything', () => {
  fc.assert(
    fc.property(scopes, (scope) => {
      assert.ok(covers(WHOLE_MESH, scope));
      assert.equal(isWholeMesh(scope), covers(scope, WHOLE_MESH));
    }),
  );
});

test('a member of a scope is one lower-case name or one star', () => {
  const withTeam = (team: string) => Check(Scope, { team, surface: 'git', environment: '*' });
  for (const team of ['*', 'a', '0', 'platform', 'team-1.eu_west', 'x'.repeat(63)]) assert.ok(withTeam(team), team);
  for (const team of ['', '**', 'a*', 'Platform', '-a', '.', 'a b', 'ä', 'a\n', 'x'.repeat(64)]) {
    assert.equal(withTeam(team), false, JSON.stringify(team));
  }
});
