/** Conflicts and faults about permissions, credentials or accounts are audited wherever they are refused. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AuditEntry,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  type SignedIn,
  type TokenWithSecret,
} from '@meshwork/contract';
import { ALL, type Got, PASSWORD, type Problem, type TestBrowser, TestPanel } from './harness.ts';

interface AuditedRefusal {
  /** The service that records it. */
  readonly by: 'panel' | 'coordinator';
  readonly action: string;
  readonly actor: string;
  readonly provoke: () => Promise<Got<Problem>>;
}

describe('a refusal that concerns security', () => {
  let panel: TestPanel;
  let owner: TestBrowser;
  before(async () => {
    panel = await TestPanel.start();
    owner = await panel.owner();
  });
  after(() => panel.close());

  const idOf = async (browser: TestBrowser) => ((await browser.state()) as SignedIn).user.id;

  /** How to bring about each of them: a code that comes to the table is missed here until it has a line. */
  const PROVOKED: Partial<Record<ErrorCode, readonly AuditedRefusal[]>> = {
    role_built_in: [
      {
        by: 'coordinator',
        action: 'roles.replace',
        actor: 'grace',
        provoke: () =>
          owner.ask('PUT', '/api/v1/coordinator/auth/roles/viewer', { body: { permissions: ['users:write'] } }),
      },
    ],
    token_not_active: [
      {
        by: 'coordinator',
        action: 'tokens.rotate',
        actor: 'bootstrap',
        provoke: async () => {
          const { id } = await panel.coordinator.token({ role: 'viewer' });
          await panel.coordinator.ask('DELETE', `/v1/auth/tokens/${id}`);
          return panel.coordinator.ask('POST', `/v1/auth/tokens/${id}/rotate`, { body: {} });
        },
      },
    ],
    token_maker_ended: [
      {
        by: 'coordinator',
        action: 'tokens.rotate',
        actor: 'child',
        provoke: async () => {
          const parent = await panel.coordinator.token({ name: 'parent', role: 'operator', days: 2 });
          const body = { name: 'child', role: 'operator', scope: ALL, expires: panel.coordinator.inDays(1) };
          const made = await panel.coordinator.ask<TokenWithSecret>('POST', '/v1/auth/tokens', {
            token: parent.secret,
            body,
          });
          await panel.coordinator.ask('DELETE', `/v1/auth/tokens/${parent.id}`);
          return panel.coordinator.ask('POST', `/v1/auth/tokens/${made.body.id}/rotate`, {
            token: made.body.secret,
            body: {},
          });
        },
      },
    ],
    token_delegated: [
      {
        by: 'coordinator',
        action: 'tokens.rotate',
        actor: 'bootstrap',
        provoke: async () => {
          const { id } = await panel.coordinator.person();
          return panel.coordinator.ask('POST', `/v1/auth/tokens/${id}/rotate`, { body: {} });
        },
      },
    ],
    setup_closed: [
      {
        by: 'panel',
        action: 'setup.finish',
        actor: 'anonymous',
        provoke: () =>
          panel.browser().ask('POST', '/api/v1/setup', { body: { code: 'x', name: 'mallory', password: PASSWORD } }),
      },
    ],
    last_owner: [
      {
        by: 'panel',
        action: 'users.remove',
        actor: 'grace',
        provoke: async () => owner.ask('DELETE', `/api/v1/users/${await idOf(owner)}`),
      },
    ],
    role_reserved: [
      {
        by: 'panel',
        action: 'users.create',
        actor: 'grace',
        provoke: () => owner.ask('POST', '/api/v1/users', { body: { name: 'mallory', role: 'panel', scope: ALL } }),
      },
      {
        by: 'coordinator',
        action: 'delegations.create',
        actor: 'panel',
        provoke: () => {
          const person = { id: 'user_01jcqv4d2ye8r9k7d0w8m2b4np', name: 'Mallory' };
          const body = { person, role: 'panel', scope: ALL };
          return panel.coordinator.ask('POST', '/v1/auth/delegations', { token: panel.coordinator.panel, body });
        },
      },
    ],
  };

  it('is every conflict and fault that the table marks', () => {
    const marked = ERROR_CODES.filter((code) => ERRORS[code].refusal && [409, 422].includes(ERRORS[code].status));
    assert.deepEqual(marked.toSorted(), Object.keys(PROVOKED).toSorted());
  });

  const trailOf = async ({
    by,
    action,
  }: AuditedRefusal): Promise<readonly Pick<AuditEntry, 'outcome' | 'code' | 'actor'>[]> => {
    if (by === 'panel') return panel.trail(owner, `&action=${action}`);
    const got = await panel.coordinator.ask<{ items: AuditEntry[] }>('GET', `/v1/audit?action=${action}&limit=20`);
    return got.body.items;
  };

  for (const [code, all] of Object.entries(PROVOKED)) {
    for (const refusal of all) {
      it(`${code} is in the trail of the ${refusal.by}, as ${refusal.action}`, async () => {
        const got = await refusal.provoke();
        assert.deepEqual([got.status, got.body.code], [ERRORS[code as ErrorCode].status, code], got.text);
        const entry = (await trailOf(refusal)).find((one) => one.code === code);
        assert.deepEqual([entry?.outcome, entry?.actor.name], ['refused', refusal.actor]);
      });
    }
  }

  it('a person outside the scope is not found, and the refusal is in the trail', async () => {
    const scope = { ...ALL, team: 'platform' };
    const narrow = await panel.person(owner, { name: 'narrow', role: 'owner', scope });
    const id = await idOf(owner);
    assert.equal((await narrow.ask('GET', `/api/v1/users/${id}`)).status, 404);
    const missing = 'user_01jcqv4d2ye8r9k7d0w8m2b4np';
    assert.equal((await narrow.ask('GET', `/api/v1/users/${missing}`)).status, 404);
    await panel.until(async () => (await panel.trail(owner, `&target=${id}&action=users.show`)).length === 1);
    const [entry] = await panel.trail(owner, `&target=${id}&action=users.show`);
    assert.deepEqual([entry?.code, entry?.actor.name], ['outside_scope', 'narrow']);
    assert.equal((await panel.trail(owner, `&target=${missing}`)).length, 0, 'an unknown id is not recorded');
  });
});
