/** What people do to tokens, roles, settings, the policy and the authorities needs a fresh proof of identity; what they read and try out does not. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type OperationId, PANEL_OPERATIONS, panelErrorsOf, type TokenWithSecret } from '@meshwork/contract';
import { PROXIED } from '../src/coordinator/proxied-operations.ts';
import { ALL, PASSWORD, type TestBrowser, TestPanel } from './harness.ts';

const AT = '/api/v1/coordinator';
/** By name, so that a row that gains or loses the flag is a decision and not an accident. */
const SENSITIVE: ReadonlySet<OperationId> = new Set([
  'tokens.create',
  'tokens.rotate',
  'roles.create',
  'roles.replace',
  'roles.delete',
  'acls.replace',
  'acls.restore',
  'ca.rotate',
  'ca.cancel_rotation',
  'ca.export_root',
  'ca.drop_root_key',
  'ca.take_intermediate',
  'ca.rewrap',
  'settings.update',
]);

describe('a fresh proof', () => {
  let panel: TestPanel;
  /** Signed in eleven minutes ago. */
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
    const settings = { api: { rate_per_s: 100_000, burst: 100_000 } };
    await panel.coordinator.ask('PATCH', '/v1/settings', { body: settings });
    panel.clock.advance(11 * 60);
  });
  after(() => panel.close());

  const fill = (path: string) => path.replaceAll(/\{\w+\}/g, 'nothing');

  for (const { id, operation, path } of PROXIED) {
    const isSensitive = SENSITIVE.has(id);
    it(`is ${isSensitive ? 'needed' : 'not needed'} for ${id}`, async () => {
      const { method, body, text, answer } = operation;
      const asked = answer.type === 'text/event-stream' ? 'HEAD' : method;
      // What is not JSON at all shows that the proof is asked for before the body is looked at.
      const sent = body === undefined ? {} : { raw: isSensitive ? '{"not json' : text === undefined ? '{"x":1}' : '{' };
      const got = await owner.ask(asked, fill(path), sent);
      const isRefused = got.status === 403 && got.body?.code === 'confirmation_required';
      assert.equal(isRefused, isSensitive, `${got.status} ${got.text}`);
    });
  }

  it('is in the trail when it was missing, with the person', async () => {
    await owner.ask('PATCH', `${AT}/settings`, { body: { events: { retention_days: 9 } } });
    const [entry] = await panel.trail(owner, '&action=coordinator.settings.update');
    assert.deepEqual([entry?.outcome, entry?.code, entry?.actor.name], ['refused', 'confirmation_required', 'grace']);
  });

  it('opens all of it for ten minutes', async () => {
    const late = await panel.signIn('grace');
    panel.clock.advance(11 * 60);
    const body = { name: 'ci', role: 'viewer', scope: ALL, expires: panel.coordinator.inDays(1) };
    const ask = () => late.ask<TokenWithSecret>('POST', `${AT}/auth/tokens`, { body });
    assert.equal((await ask()).status, 403);
    await late.must(200, 'POST', '/api/v1/auth/confirm', { body: { password: PASSWORD } });
    const { status, body: token } = await ask();
    assert.equal(status, 201);
    const rotate = `${AT}/auth/tokens/${token.id}/rotate`;
    assert.equal((await late.ask('POST', rotate, { body: {} })).status, 201);
    assert.equal((await late.ask('DELETE', `${AT}/auth/tokens/${token.id}`)).status, 200, 'ending one never waits');
    panel.clock.advance(10 * 60 + 1);
    assert.equal((await ask()).status, 403);
    assert.equal((await late.ask('DELETE', `${AT}/auth/tokens/${token.id}`)).status, 200);
  });

  it('is not asked of tokens at the coordinator', async () => {
    const made = await panel.coordinator.ask('PATCH', '/v1/settings', { body: { events: { retention_days: 8 } } });
    assert.equal(made.status, 200);
  });

  it('is announced by every operation of the panel that may ask for it', () => {
    for (const [id, operation] of Object.entries(PANEL_OPERATIONS)) {
      const isConfirmed = 'confirmed' in operation;
      assert.equal(panelErrorsOf(operation).includes('confirmation_required'), isConfirmed, id);
    }
  });
});
