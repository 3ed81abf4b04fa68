import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { Seal } from '../../seal.ts';
import { type Journey, journeyCookie, journeyOf, noJourneyCookie } from './journey.ts';

describe('a journey to the provider', () => {
  const seal = new Seal(createSecretKey(randomBytes(32)), 'oidc');
  const journey: Journey = {
    state: 'state',
    nonce: 'nonce',
    code_verifier: 'verifier',
    return_to: '/',
    replaces: null,
    until_ms: 1000,
  };
  const sent = (cookie: string) => {
    const [name = '', value = ''] = (cookie.split(';', 1)[0] ?? '').split('=');
    return { [name]: value };
  };

  it('is over TLS in a cookie that no other host can set, so that nobody is sent on a journey of somebody else', () => {
    const cookie = journeyCookie(seal, journey, true);
    assert.match(cookie, /^__Host-mesh_oidc=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(noJourneyCookie(true), /^__Host-mesh_oidc=; Path=\/; Max-Age=0; /);
    assert.deepEqual(journeyOf(seal, sent(cookie), { now_ms: 0, is_tls: true }), journey);
    const planted = sent(journeyCookie(seal, journey, false));
    assert.equal(journeyOf(seal, planted, { now_ms: 0, is_tls: true }), undefined);
    assert.deepEqual(journeyOf(seal, planted, { now_ms: 0, is_tls: false }), journey);
  });

  it('is over when its time is, and is none when it was sealed by another key', () => {
    const cookies = sent(journeyCookie(seal, journey, true));
    assert.equal(journeyOf(seal, cookies, { now_ms: 1000, is_tls: true }), undefined);
    const other = new Seal(createSecretKey(randomBytes(32)), 'oidc');
    assert.equal(journeyOf(other, cookies, { now_ms: 0, is_tls: true }), undefined);
  });
});
