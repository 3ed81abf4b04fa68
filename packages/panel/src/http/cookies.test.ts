import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Site } from '../site.ts';
import { keptBy, keptCookie, sessionCookie } from './cookies.ts';

const KEPT = { name: 'mesh_oidc', value: 'abc', lifetime_s: 600, path: '/api/v1/auth/oidc' };

function siteAt(address: string): Site {
  const site = new Site(new URL(address), { host: '127.0.0.1', port: 7480 });
  site.listensAt('http://127.0.0.1:7480');
  return site;
}

describe('what a browser keeps for the panel', () => {
  const [tls, plain] = [siteAt('https://panel.example.org'), siteAt('http://localhost:7480')];
  const pair = (cookie: string) => cookie.split(';', 1)[0] ?? '';

  it('is over TLS in a cookie that no other host can set, so that a browser never brings what another site planted', () => {
    assert.equal(keptCookie(tls, KEPT), '__Host-mesh_oidc=abc; Path=/; Max-Age=600; HttpOnly; SameSite=Lax; Secure');
    assert.equal(keptCookie(plain, KEPT), 'mesh_oidc=abc; Path=/api/v1/auth/oidc; Max-Age=600; HttpOnly; SameSite=Lax');
    assert.deepEqual(keptBy(tls, pair(keptCookie(tls, KEPT))), { mesh_oidc: 'abc' });
    const planted = pair(keptCookie(plain, KEPT));
    assert.deepEqual(keptBy(tls, planted), {});
    assert.deepEqual(keptBy(plain, planted), { mesh_oidc: 'abc' });
  });

  it('is cleared by a value of null, and never includes the session', () => {
    assert.match(keptCookie(tls, { ...KEPT, value: null, lifetime_s: 0 }), /^__Host-mesh_oidc=; Path=\/; Max-Age=0; /);
    for (const site of [tls, plain]) {
      const header = `${pair(sessionCookie(site, 'secret'))}; ${pair(keptCookie(site, KEPT))}`;
      assert.deepEqual(keptBy(site, header), { mesh_oidc: 'abc' });
    }
  });
});
