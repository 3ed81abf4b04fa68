import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resolversByDomain } from './routing-domains.ts';

test('a domain has its resolvers in order', () => {
  const domains = resolversByDomain(['corp.example.org=10.0.0.53', 'lab.test=fd00::53', 'corp.example.org=10.0.0.54']);
  assert.deepEqual(
    [...domains],
    [
      ['corp.example.org', ['10.0.0.53', '10.0.0.54']],
      ['lab.test', ['fd00::53']],
    ],
  );
});
