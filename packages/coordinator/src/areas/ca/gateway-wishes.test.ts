import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthorityId, type CertificateId, type NodeId, utc } from '@meshwork/contract';
import { lifeFrom } from '../../issuing/lifetimes.ts';
import { Model } from '../../mesh/model.ts';
import { isDueBy, nextRenewalOf } from './gateway-wishes.ts';

const NOW = Date.parse('2026-11-15T09:00:00Z');
const HOUR_MS = 3_600_000;
const GATEWAY = 'node_01jcqv6p0ee3xv9k7d0w8m2b4n' as NodeId;
const CERTIFICATE = 'certificate_01jcqv6p0ee3xv9k7d0w8m2b4n' as CertificateId;

/** A gateway with one certificate that lives for six hours from now on. */
function certified(): Model {
  const model = new Model();
  const certificate = {
    serial: '1',
    profile: 'ingress',
    names: { dns: ['web.example.net'], addresses: [], uris: [] },
    nodes: [GATEWAY],
    key_type: 'EC P-256',
    issuer: 'authority_01jcqv6p0ee3xv9k7d0w8m2b4n' as AuthorityId,
    certificate: '',
    ...lifeFrom(NOW, 6 * 3600),
    requested_by: { kind: 'node', id: GATEWAY, name: 'gw-1' },
  } as const;
  const keys = { request: 'a key', request_sha256: '', requested_at: utc(NOW), signed_from: utc(NOW), refused: null };
  const current = { ingress_01jcqvc37ee3xv9k7d0w8m2b4n: CERTIFICATE };
  const before = {};
  model.apply(1, [
    { kind: 'certificate', id: CERTIFICATE, body: certificate },
    { kind: 'gateway_certificate', id: GATEWAY, body: { ...keys, current, before } },
  ]);
  return model;
}

test('a certificate of a gateway is due in the last third of its life', () => {
  const next = nextRenewalOf(certified(), GATEWAY, NOW);
  assert.ok(next !== undefined && next.at_ms > NOW + 3 * HOUR_MS && next.at_ms < NOW + 6 * HOUR_MS);
  assert.equal(isDueBy(next, NOW), false);
  assert.equal(isDueBy(next, next.at_ms), true);
});

test('and when the clock that it was issued by was ahead, as soon as that is set right', () => {
  const next = nextRenewalOf(certified(), GATEWAY, NOW);
  assert.ok(next);
  assert.equal(isDueBy(next, NOW - HOUR_MS), true);
});

test('one that is due and could not be renewed does not have the duty run on and on', () => {
  const model = certified();
  assert.equal(nextRenewalOf(model, GATEWAY, NOW + 6 * HOUR_MS), undefined);
  assert.equal(nextRenewalOf(model, GATEWAY, NOW - HOUR_MS), undefined);
});
