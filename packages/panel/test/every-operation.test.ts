/** Walks the whole table of the panel: what holds for every operation is asked of every operation. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type HttpOperation,
  isMutation,
  PANEL_OPERATION_IDS,
  PANEL_OPERATIONS,
  type PanelOperation,
  type PanelOperationId,
} from '@meshwork/contract';
import { type TestBrowser, TestPanel } from './harness.ts';

/** Of every record the example names one; no such thing is there. */
function pathOf({ path, example }: HttpOperation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.params?.[name] ?? 'none'));
}

const bodyOf = ({ body, example }: HttpOperation) => (body === undefined ? {} : { body: example.body ?? {} });
const isSetUp = (id: PanelOperationId) => id === 'setup.finish';

describe('every operation of the panel', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  /** Has a role without any of the permissions that the table names. */
  let weak: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
    await panel.person(owner, { name: 'weak', role: 'enroller' });
  });
  after(() => panel.close());

  for (const id of PANEL_OPERATION_IDS) {
    const operation: PanelOperation = PANEL_OPERATIONS[id];
    const { method, access } = operation;
    const path = pathOf(operation);

    describe(id, () => {
      before(async () => {
        panel.clock.advance(60); // so that the walk reaches no limit of one address
        owner = await panel.signIn('grace');
        weak = await panel.signIn('weak');
      });

      if (access !== 'anyone') {
        it('is refused without a session, before its body is read', async () => {
          const got = await panel.browser().ask(method, path, { raw: '{"not json', ...NO_BODY(operation) });
          assert.deepEqual([got.status, got.body.code], [401, 'sign_in_required']);
        });

        it('is refused with a cookie that means nothing', async () => {
          const browser = panel.browser();
          for (const cookie of ['', 'x', 'session_01jcqv5s3ee3xv9k7d0w8m2b4n.x', `${owner.session}x`]) {
            browser.cookies.set('mesh_session', cookie);
            assert.equal((await browser.ask(method, path, bodyOf(operation))).status, 401, cookie);
          }
        });
      }

      if (access.includes(':')) {
        it('is refused to a role without the permission, before its body is read', async () => {
          const got = await weak.ask(method, path, { raw: '{"not json', ...NO_BODY(operation) });
          assert.deepEqual([got.status, got.body.code], [403, 'permission_denied']);
        });
      }

      if (isMutation(operation)) {
        it('is refused without the token of the session, and with one of another', async () => {
          for (const token of [undefined, '', weak.csrf, `${owner.csrf}x`, 'x'.repeat(4000)]) {
            const got = await owner.ask(method, path, { ...bodyOf(operation), headers: { 'x-csrf-token': token } });
            assert.deepEqual([got.status, got.body.code], [403, 'csrf_failed'], `${token?.slice(0, 50)}`);
          }
        });

        it('is refused without it even beside other credentials', async () => {
          const headers = { 'x-csrf-token': undefined, authorization: `Bearer ${panel.coordinator.owner}` };
          assert.equal((await owner.ask(method, path, { ...bodyOf(operation), headers })).status, 403);
        });

        it('is refused from pages of others', async () => {
          const origins = [
            'https://evil.example',
            'null',
            `${panel.url}.evil.example`,
            panel.url.replace('http:', 'https:'),
          ];
          for (const origin of origins) {
            const got = await owner.ask(method, path, { ...bodyOf(operation), headers: { origin } });
            assert.deepEqual([got.status, got.body.code], [403, 'origin_refused'], origin);
          }
          const headers = { origin: undefined, 'sec-fetch-site': 'cross-site' };
          assert.equal((await owner.ask(method, path, { ...bodyOf(operation), headers })).body.code, 'origin_refused');
        });
      }

      if (operation.body !== undefined && access !== 'halfway') {
        it('is refused with a field that is not known, the wrong type of body, and one that is too large', async () => {
          const as = isSetUp(id) ? panel.browser() : owner;
          const extra = { ...(operation.example.body as object), surprise: true };
          const unknown = await as.ask(method, path, { body: extra });
          assert.deepEqual([unknown.status, unknown.body.code], [422, 'invalid']);
          const form = { 'content-type': 'application/x-www-form-urlencoded' };
          assert.equal((await as.ask(method, path, { raw: 'a=b', headers: form })).status, 415);
          assert.equal((await as.ask(method, path, { raw: '{"a":', headers: {} })).body.code, 'malformed_json');
          const large = JSON.stringify({ surprise: 'x'.repeat(70_000) });
          assert.equal((await as.ask(method, path, { raw: large })).status, 413);
        });
      }

      if (operation.body === undefined && access !== 'halfway') {
        it('is refused with a body, and with a parameter that is not known', async () => {
          assert.equal((await owner.ask(method, path, { raw: '{"a":1}' })).body.code, 'unexpected_body');
          if (id === 'auth.oidc_callback') return; // providers add parameters of their own
          assert.equal((await owner.ask(method, `${path}?surprise=1`)).body.code, 'invalid');
        });
      }

      if (operation.confirmed === true) {
        it('is refused when the last confirmation of the person is too old', async () => {
          const late = await panel.signIn('grace');
          panel.clock.advance(10 * 60 + 1);
          const got = await late.ask(method, path, bodyOf(operation));
          assert.deepEqual([got.status, got.body.code], [403, 'confirmation_required']);
        });
      }
    });
  }

  it('answers with headers that keep browsers from doing what they should not', async () => {
    for (const path of ['/api/v1/auth/session', '/api/v1/users', '/nothing', '/healthz', '/']) {
      const { headers } = await panel.browser().ask('GET', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
      assert.equal(headers.get('x-frame-options'), 'DENY');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
      assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/);
      assert.match(headers.get('x-request-id') ?? '', /^req_/);
    }
  });
});

/** What takes no body is not sent one. */
function NO_BODY({ body }: HttpOperation): { raw?: string } {
  return body === undefined ? ({ raw: undefined } as unknown as { raw?: string }) : {};
}
