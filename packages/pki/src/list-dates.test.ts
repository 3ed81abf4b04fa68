import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeIntermediate, makeRoot } from './authority.ts';
import { openIssuer } from './issuer.ts';
import { headOfList, issuerOf } from './list-dates.ts';
import { pemOf } from './pem.ts';
import { makeRevocationList } from './revocation-list.ts';

const CONSTRAINTS = { domains: ['mesh'], networks: ['100.64.0.0/10'], trust_domain: 'mesh' };
const LIFE = { not_before: new Date('2026-01-01'), not_after: new Date('2126-01-01'), constraints: CONSTRAINTS };
const serial = () => `4${randomBytes(15).toString('hex')}0`;

test('a list says whose it is and until when it is good, however many entries it has', async () => {
  const root = await openIssuer(await makeRoot({ ...LIFE, serial: serial(), name: 'root' }));
  const files = await makeIntermediate(root, { ...LIFE, serial: serial(), name: 'intermediate' });
  const intermediate = await openIssuer(files);
  const revoked = Array.from({ length: 300 }, () => ({
    serial: serial(),
    at: new Date('2026-02-01'),
    reason: 'superseded' as const,
  }));
  // Two digits of a year up to 2049, and four from 2050 on.
  for (const next_at of [new Date('2026-11-19T01:02:03Z'), new Date('2050-01-01T00:00:00Z')]) {
    for (const entries of [[], revoked]) {
      const list = { number: 7, made_at: new Date('2026-01-01'), next_at, revoked: entries };
      const head = headOfList(pemOf('X509 CRL', makeRevocationList(root, list)));
      assert.equal(head.next_ms, next_at.getTime());
      assert.equal(head.issuer, issuerOf(pemOf('CERTIFICATE', files.certificate)));
      const other = headOfList(pemOf('X509 CRL', makeRevocationList(intermediate, list)));
      assert.deepEqual([other.next_ms, other.issuer === head.issuer], [head.next_ms, false]);
    }
  }
});

test('what is no list is refused, wherever it ends', async () => {
  const root = await openIssuer(await makeRoot({ ...LIFE, serial: serial(), name: 'root' }));
  const list = { number: 7, made_at: new Date('2026-01-01'), next_at: new Date('2026-02-01'), revoked: [] };
  const der = makeRevocationList(root, list);
  assert.throws(() => headOfList('x'), /there is no X509 CRL in PEM/);
  for (let length = 1; length < der.length; length++) {
    assert.throws(() => headOfList(pemOf('X509 CRL', der.subarray(0, length))), /ends too early|no length/);
  }
});
