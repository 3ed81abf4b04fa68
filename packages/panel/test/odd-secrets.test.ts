/** Whatever is sent in place of a secret or a code is refused; nothing makes the panel fail. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Invitation } from '@meshwork/contract';
import { writeNewPrivateFile } from '@meshwork/service';
import { TOTP } from 'otpauth';
import { ALL, type Got, PASSWORD, type Problem, type TestBrowser, TestPanel } from './harness.ts';
import { CLIENT_ID, CLIENT_SECRET, TestProvider } from './sign-in/test-provider.ts';

/** Texts that are short or long, have more bytes than characters, or are no text at all. */
const ODD: Readonly<Record<string, string>> = {
  nothing: '',
  'a blank': ' ',
  'one character': 'x',
  'full-width digits': '１２３４５６',
  'digits of another script': '١٢٣٤٥٦',
  'as many characters as a code, in two bytes each': 'é'.repeat(6),
  'as many characters as a secret, in two bytes each': 'é'.repeat(43),
  'as many characters as a hash, in three bytes each': '漢'.repeat(64),
  'half of a pair': '\uD800',
  'a pair the wrong way round': '\uDC00\uD800',
  'a pair': '\u{1F511}',
  'a zero': 'abc\0def',
  'too much': 'x'.repeat(2000),
  'more than a body may have': 'x'.repeat(70_000),
};

/** Header values are bytes: text goes in as its UTF-8. What HTTP itself cannot carry is left out. */
const HEADERS = Object.entries(ODD)
  .filter(([name]) => !['a zero', 'more than a body may have'].includes(name))
  .map(([name, text]) => [name, Buffer.from(text).toString('latin1')] as const);

function assertRefused(got: Got<Problem | undefined>, what: string): void {
  assert.ok(got.status >= 400 && got.status < 500, `${what}: ${got.status} ${got.text}`);
  assert.notEqual(got.body?.code, 'rate_limited', what);
}

describe('in place of a secret, odd text is refused', () => {
  let folder: string;
  let panel: TestPanel;
  let provider: TestProvider;
  let totp: TOTP | undefined;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mesh-odd-secrets-'));
    const secret_file = join(folder, 'secret');
    await writeNewPrivateFile(secret_file, `${CLIENT_SECRET}\n`);
    provider = await TestProvider.listen();
    panel = await TestPanel.start({
      MESH_OIDC_ISSUER: provider.issuer,
      MESH_OIDC_CLIENT_ID: CLIENT_ID,
      MESH_OIDC_CLIENT_SECRET_FILE: secret_file,
      MESH_OIDC_ROLES: 'admins=owner',
    });
    provider.serve(panel.url);
  });
  after(async () => {
    await panel.close();
    await provider.close();
    await rm(folder, { recursive: true });
  });

  /** Long after whatever failed before: failures are forgotten, and nothing has to wait. */
  const later = () => panel.clock.advance(3700);
  const codeNow = () => {
    panel.clock.advance(60); // each is good once
    return totp?.generate({ timestamp: panel.clock.now() });
  };
  const signedIn = async (): Promise<TestBrowser> => {
    later();
    const browser = await panel.signIn('grace');
    if (totp !== undefined) await browser.must(200, 'POST', '/api/v1/auth/login/totp', { body: { code: codeNow() } });
    return browser;
  };
  const post = (browser: TestBrowser, path: string, body: object) => browser.ask('POST', path, { body });

  it('as the set-up code', async () => {
    for (const [what, code] of Object.entries(ODD)) {
      later();
      assertRefused(await post(panel.browser(), '/api/v1/setup', { code, name: 'grace', password: PASSWORD }), what);
    }
    await panel.down();
    await panel.up(); // with a code whose hour has not passed
    await panel.owner();
  });

  it('as the code that confirms an authenticator', async () => {
    const owner = await signedIn();
    const { secret } = await owner.must<{ secret: string }>(200, 'POST', '/api/v1/profile/totp', { body: {} });
    for (const [what, code] of Object.entries(ODD)) {
      assertRefused(await post(owner, '/api/v1/profile/totp/finish', { code }), what);
    }
    const fullWidth = await post(owner, '/api/v1/profile/totp/finish', { code: '１２３４５６' });
    assert.deepEqual([fullWidth.status, fullWidth.body.code], [422, 'invalid']);
    const made = new TOTP({ secret });
    const code = made.generate({ timestamp: panel.clock.now() });
    await owner.must(200, 'POST', '/api/v1/profile/totp/finish', {
      body: { code: ` ${code.slice(0, 3)} ${code.slice(3)} ` },
    });
    totp = made;
  });

  it('as a name or a password', async () => {
    for (const [what, text] of Object.entries(ODD)) {
      later();
      assertRefused(await post(panel.browser(), '/api/v1/auth/login', { name: 'grace', password: text }), what);
      later();
      assertRefused(await post(panel.browser(), '/api/v1/auth/login', { name: text, password: PASSWORD }), what);
    }
  });

  it('as the second factor', async () => {
    for (const [what, code] of Object.entries(ODD)) {
      later();
      assertRefused(await post(await panel.signIn('grace'), '/api/v1/auth/login/totp', { code }), what);
    }
  });

  it('as a fresh proof, and as the password before', async () => {
    for (const [what, text] of Object.entries(ODD)) {
      const browser = await signedIn();
      assertRefused(await post(browser, '/api/v1/auth/confirm', { password: text, code: codeNow() }), what);
      assertRefused(await post(browser, '/api/v1/auth/confirm', { password: PASSWORD, code: text }), what);
      assertRefused(await post(browser, '/api/v1/auth/confirm', { passkey: { id: text, response: text } }), what);
      const change = { current: text, password: 'quite another phrase for grace' };
      assertRefused(await post(browser, '/api/v1/profile/password', change), what);
    }
  });

  it('as an invitation', async () => {
    const owner = await signedIn();
    const body = { name: 'ada', role: 'viewer', scope: ALL };
    await owner.must<Invitation>(201, 'POST', '/api/v1/users', { body });
    for (const [what, code] of Object.entries(ODD)) {
      panel.clock.advance(10);
      assertRefused(await post(panel.browser(), '/api/v1/invitation/look', { code }), what);
      assertRefused(await post(panel.browser(), '/api/v1/invitation', { code, password: PASSWORD }), what);
    }
  });

  it('as the answer of a passkey, anywhere in it', async () => {
    const owner = await signedIn();
    for (const [what, text] of Object.entries(ODD)) {
      panel.clock.advance(10);
      const parts = { clientDataJSON: text, authenticatorData: text, signature: text, userHandle: text };
      for (const response of [
        { id: text, rawId: text, type: 'public-key', response: parts },
        { id: text, response: { userHandle: Buffer.from('user_01jcqv5s3ee3xv9k7d0w8m2b4n').toString('base64url') } },
        { id: 1, rawId: null, response: [text], clientExtensionResults: text },
      ]) {
        assertRefused(await post(panel.browser(), '/api/v1/auth/login/passkey', { response }), what);
        assertRefused(await post(owner, '/api/v1/profile/passkeys', { name: 'laptop', response }), what);
      }
    }
  });

  it('as a cookie, or as the token against forged requests', async () => {
    const owner = await signedIn();
    const [id = ''] = owner.session?.split('.') ?? [];
    for (const [what, text] of HEADERS) {
      panel.clock.advance(10);
      for (const cookie of [text, `${id}.${text}`, `${text}.${text}`]) {
        const got = await panel
          .browser()
          .ask('GET', '/api/v1/profile', { headers: { cookie: `mesh_session=${cookie}` } });
        assertRefused(got, what);
      }
      const headers = { 'x-csrf-token': text };
      const forged = await owner.ask('PATCH', '/api/v1/profile', { body: { appearance: 'dark' }, headers });
      assert.deepEqual([forged.status, forged.body.code], [403, 'csrf_failed'], what);
    }
  });

  it('as a token', async () => {
    for (const [what, text] of HEADERS) {
      panel.clock.advance(30);
      for (const path of ['/metrics', '/api/v1/users', '/api/v1/sessions']) {
        for (const authorization of [`Bearer ${text}`, `Bearer mesh_${text}`, text]) {
          assertRefused(await panel.browser().ask('GET', path, { headers: { authorization } }), `${path} ${what}`);
        }
      }
    }
  });

  it('as what a browser brings back from the provider', async () => {
    for (const [what, text] of HEADERS) {
      panel.clock.advance(30);
      const browser = panel.browser();
      await browser.must(200, 'POST', '/api/v1/auth/oidc', { body: {} });
      const value = encodeURIComponent(Buffer.from(text, 'latin1').toString());
      const back = await browser.ask('GET', `/api/v1/auth/oidc/callback?code=${value}&state=${value}`);
      const problem = '/sign-in?problem=provider_answer_invalid';
      assert.deepEqual([back.status, back.headers.get('location')], [302, problem], what);
      const headers = { cookie: `mesh_oidc=${text}` };
      const made = await panel.browser().ask('GET', '/api/v1/auth/oidc/callback?code=x&state=x', { headers });
      assert.deepEqual([made.status, made.headers.get('location')], [302, problem], what);
    }
  });
});
