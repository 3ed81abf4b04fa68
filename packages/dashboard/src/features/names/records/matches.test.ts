import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsRecord } from '@meshwork/contract';
import { matches } from './matches.ts';

const record: DnsRecord = {
  id: 'dns_01jcqvd5z0e8m4q2w7r9t1y3ba',
  name: '*.apps',
  fqdn: '*.apps.mesh',
  addresses: ['100.64.0.7'],
  cname: null,
  scope: { team: '*', surface: '*', environment: '*' },
  note: 'Two proxies',
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_1', name: 'ops' },
  revision: 7,
};

test('a record is found by its name, where it leads, its note and its kind', () => {
  for (const q of ['', 'APPS', '64.0.7', 'proxies']) assert.equal(matches(record, q, undefined), true, q);
  assert.equal(matches(record, 'wiki', undefined), false);
  assert.deepEqual(
    ['addresses', 'wildcard', 'alias'].map((kind) => matches(record, '', kind)),
    [true, true, false],
  );
  const alias = { ...record, fqdn: 'wiki.mesh', addresses: [], cname: 'web-1.mesh' };
  assert.deepEqual(
    ['addresses', 'wildcard', 'alias'].map((kind) => matches(alias, 'web-1', kind)),
    [false, false, true],
  );
});
