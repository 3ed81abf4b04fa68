import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { writeNewPrivateFile } from '@meshwork/service';
import { CrookedProvider } from '../../../../test/sign-in/crooked-provider.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../../../test/sign-in/test-provider.ts';
import { TestPanel } from '../../../../test/testing.ts';

describe('what a provider answers', () => {
  let folder: string;
  let provider: CrookedProvider;
  let panel: TestPanel;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-oidc-'));
    const secret_file = join(folder, 'secret');
    await writeNewPrivateFile(secret_file, CLIENT_SECRET);
    provider = await CrookedProvider.start();
    panel = await TestPanel.start({
      MESH_OIDC_ISSUER: provider.issuer,
      MESH_OIDC_CLIENT_ID: CLIENT_ID,
      MESH_OIDC_CLIENT_SECRET_FILE: secret_file,
      MESH_OIDC_ROLES: 'admins=owner',
    });
  });
  beforeEach(() => {
    provider.claims = {};
    provider.metadata = {};
    provider.forged = false;
    provider.token_status = 200;
    panel.clock.advance(3601); // what it says of itself is asked for anew
  });
  after(async () => {
    await panel.close();
    await provider.close();
    await rm(folder, { recursive: true });
  });

  /** Comes back at once with a code, as the provider would send the browser. Where it ends, and whether it is signed in. */
  const signIn = async (odd: { iss?: string | null; error?: string; state?: string } = {}) => {
    const browser = panel.browser();
    const { url } = await browser.must<{ url: string }>(200, 'POST', '/api/v1/auth/oidc', { body: {} });
    const asked = new URL(url).searchParams;
    provider.nonce = asked.get('nonce') ?? '';
    const search = new URLSearchParams({ state: odd.state ?? asked.get('state') ?? '' });
    if (odd.error === undefined) search.set('code', 'example');
    else search.set('error', odd.error);
    if (odd.iss !== null) search.set('iss', odd.iss ?? provider.issuer);
    const got = await browser.ask('GET', `/api/v1/auth/oidc/callback?${search}`);
    assert.equal(got.status, 302);
    assert.equal(browser.session !== undefined, got.headers.get('location') === '/');
    return got.headers.get('location');
  };

  it('is accepted when it is valid', async () => {
    assert.equal(await signIn(), '/');
  });

  const now_s = () => Math.floor(Date.now() / 1000);
  const CROOKED: Readonly<Record<string, () => Readonly<Record<string, unknown>>>> = {
    'is for another client': () => ({ aud: 'another-client' }),
    'is for several, and was asked for by another': () => ({ aud: [CLIENT_ID, 'other'], azp: 'other' }),
    'answers another request': () => ({ nonce: 'another-nonce' }),
    'answers no request in particular': () => ({ nonce: undefined }),
    'has expired': () => ({ iat: now_s() - 7200, exp: now_s() - 3600 }),
    'is not valid yet': () => ({ nbf: now_s() + 3600 }),
    'never expires': () => ({ exp: undefined }),
    'is by another issuer': () => ({ iss: 'https://evil.example' }),
    'has no subject': () => ({ sub: undefined }),
  };
  for (const [what, claims] of Object.entries(CROOKED)) {
    it(`is refused when the token ${what}`, async () => {
      provider.claims = claims();
      assert.equal(await signIn(), '/sign-in?problem=provider_answer_invalid');
    });
  }

  it('is refused when the token is signed with a key that is not the provider’s', async () => {
    provider.forged = true;
    assert.equal(await signIn(), '/sign-in?problem=provider_answer_invalid');
  });

  it('is refused when the browser was sent back by another provider, or by one that does not say', async () => {
    assert.equal(await signIn({ iss: 'https://evil.example' }), '/sign-in?problem=provider_answer_invalid');
    assert.equal(await signIn({ iss: null }), '/sign-in?problem=provider_answer_invalid');
  });

  it('is refused when it answers an earlier request of the browser', async () => {
    assert.equal(await signIn({ state: 'another-state' }), '/sign-in?problem=provider_answer_invalid');
    assert.equal(await signIn({ state: '' }), '/sign-in?problem=provider_answer_invalid');
  });

  it('counts as a temporary failure when the provider reports an outage', async () => {
    assert.equal(await signIn({ error: 'temporarily_unavailable' }), '/sign-in?problem=provider_unavailable');
    provider.token_status = 500;
    assert.equal(await signIn(), '/sign-in?problem=provider_unavailable');
  });

  it('is refused when the provider then names another person', async () => {
    provider.metadata = { issuer: 'https://evil.example' };
    const got = await panel.browser().ask('POST', '/api/v1/auth/oidc', { body: {} });
    assert.equal(got.status, 503);
    assert.doesNotMatch(got.text, /evil/);
  });
});
