import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DnsRecord } from '@meshwork/contract';
import { changesOf, emptyForm, formOf, isComplete, newRecord, shortName, wholeName } from './record-form.ts';

const scope = { team: '*', surface: '*', environment: '*' };
const record: DnsRecord = {
  id: 'dns_01jcqvd5z0e8m4q2w7r9t1y3ba',
  name: 'wiki',
  fqdn: 'wiki.mesh',
  addresses: ['100.64.0.7'],
  cname: null,
  scope,
  note: null,
  created_at: '2026-11-15T09:30:00Z',
  created_by: { kind: 'token', id: 'token_1', name: 'ops' },
  revision: 7,
};

describe('a new record', () => {
  test('takes the whole name, and capitals', () => {
    assert.deepEqual(['Wiki.mesh', ' *.apps ', 'wiki.mesh.'].map(shortName), ['wiki', '*.apps', 'wiki']);
    assert.deepEqual(['web-1', 'web-1.mesh', ''].map(wholeName), ['web-1.mesh', 'web-1.mesh', '']);
  });

  test('has addresses or is an alias, and has to have one of them', () => {
    const form = { ...emptyForm(scope), name: 'wiki' };
    assert.equal(isComplete(form), false);
    assert.deepEqual(newRecord({ ...form, addresses: ['100.64.0.7'], cname: 'left over' }), {
      name: 'wiki',
      addresses: ['100.64.0.7'],
      scope,
      note: null,
    });
    const alias = { ...form, kind: 'alias', cname: 'web-1', addresses: ['100.64.0.7'] } as const;
    assert.equal(isComplete(alias), true);
    assert.deepEqual(newRecord(alias), { name: 'wiki', cname: 'web-1.mesh', scope, note: null });
  });
});

describe('a changed record', () => {
  test('sends only what is other than before', () => {
    const form = formOf(record);
    assert.deepEqual(changesOf(form, record), {});
    assert.deepEqual(changesOf({ ...form, note: ' two proxies ' }, record), { note: 'two proxies' });
    assert.deepEqual(changesOf({ ...form, kind: 'alias', cname: 'web-1' }, record), { cname: 'web-1.mesh' });
    const alias = { ...record, addresses: [], cname: 'web-1.mesh' };
    assert.deepEqual(changesOf({ ...formOf(alias), kind: 'addresses', addresses: ['fd00::7'] }, alias), {
      addresses: ['fd00::7'],
    });
  });
});
