import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WHOLE_MESH } from '@meshwork/contract';
import { IngressWorld, THEN } from '../../../test/ingress-world.ts';
import type { GivenCertificateDocument } from '../../kinds/given-certificates.ts';
import { isFor } from '../../mesh/given-certificates.ts';
import { givenAttention } from './given-attention.ts';
import { stateOf, warningsOf } from './given-state.ts';

const DAY_MS = 86_400_000;
const BEGIN_MS = Date.parse(THEN);
const at = (days: number) => new Date(BEGIN_MS + days * DAY_MS).toISOString();

const certificate = (more: Partial<GivenCertificateDocument> = {}): GivenCertificateDocument => ({
  name: 'shop',
  scope: WHOLE_MESH,
  names: ['shop.example.net'],
  subject: 'CN=shop.example.net',
  issuer: 'CN=Public',
  serial: '01',
  fingerprint: '00',
  key_type: 'EC P-256',
  not_before: at(0),
  not_after: at(90),
  issuers_not_after: at(1000),
  self_signed: false,
  chain: '',
  key: '',
  created_at: THEN,
  created_by: { kind: 'system', id: null, name: 'test' },
  replaced_at: null,
  ...more,
});

/** As operations never leave it, but a store of which a part was put back may. */
function attentionTo(hostname: string, given: GivenCertificateDocument | undefined, now_ms = BEGIN_MS + DAY_MS) {
  const world = new IngressWorld();
  const tls = { certificate: 'given_1', redirect: true };
  world.ingress('ingress_1', { hostname, tls });
  if (given !== undefined) world.commit({ kind: 'given_certificate', id: 'given_1', body: given });
  const actor = { scope: WHOLE_MESH } as Parameters<ReturnType<typeof givenAttention>['summarize']>[0]['actor'];
  const { attention = [] } = givenAttention().summarize({ model: world.model, actor, now_ms, nodes: [] });
  return [...attention].map(({ kind, detail }) => [kind, detail]);
}

describe('what needs attention of given certificates', () => {
  it('is an ingress whose certificate is for other names, or gone', () => {
    assert.deepEqual(attentionTo('shop.example.net', certificate()), []);
    assert.deepEqual(attentionTo('other.example.net', certificate()), [
      ['given_certificate_unfit', 'The certificate "shop" is for shop.example.net. Clients refuse it here.'],
    ]);
    assert.deepEqual(attentionTo('shop.example.net', undefined), [
      ['given_certificate_unfit', 'The given certificate that it names is gone.'],
    ]);
  });

  it('is the end that comes first, of the certificate or of an issuer', () => {
    const brief = certificate({ issuers_not_after: at(30) });
    assert.deepEqual(
      [0, 9, 10, 30, 31].map((days) => stateOf(brief, BEGIN_MS + days * DAY_MS)),
      ['valid', 'expiring', 'expiring', 'expired', 'expired'],
    );
    assert.equal(stateOf(brief, BEGIN_MS - 1), 'not_yet_valid');
    assert.match(warningsOf(brief, BEGIN_MS).join(), /An issuer of it ends before it does/);
    const kinds = attentionTo('shop.example.net', brief, BEGIN_MS - DAY_MS).map(([kind]) => kind);
    assert.deepEqual(kinds, ['given_certificate_expired']);
  });
});

describe('a name of a certificate', () => {
  it('is for itself, and a wildcard for exactly one label', () => {
    const names = ['example.net', '*.example.net', 'www.other.net'];
    for (const hostname of ['example.net', 'a.example.net', 'www.other.net']) assert.ok(isFor(names, hostname));
    for (const hostname of ['a.b.example.net', 'other.net', 'net', '.example.net', 'xexample.net', 'www.other.net.']) {
      assert.ok(!isFor(names, hostname), hostname);
    }
    assert.ok(!isFor(['*.net'], 'a.example.net'));
    assert.ok(!isFor(['*'], 'localhost'));
  });
});
