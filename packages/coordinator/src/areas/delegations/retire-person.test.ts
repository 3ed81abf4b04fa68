import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEntry, PersonRef, Problem, Token, TokenWithSecret } from '@meshwork/contract';
import { newId } from '@meshwork/contract';
import { ALL, PLATFORM, TestCoordinator } from '../../../test/harness.ts';

interface List<T> {
  items: T[];
}
const GRACE = { kind: 'person', id: 'user_01jcqv2m7xf1b8x0v4q6k3j9zt', name: 'grace' };

describe('retiring what a person made', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.startWithPanel();
  });
  after(() => mesh.close());

  const someone = (): PersonRef => ({ id: newId('user', mesh.clock.now()), name: 'Ada' });
  const retire = (person: PersonRef, given: Record<string, unknown> = {}, token = mesh.panel) =>
    mesh.ask<List<Token> & Problem>('POST', '/v1/auth/delegations/retire', {
      token,
      body: { person, by: GRACE, limit: null, ...given },
    });
  const stateOf = async ({ id }: Token) => (await mesh.ask<Token>('GET', `/v1/auth/tokens/${id}`)).body.state;
  /** A session, what it made, and what that made. */
  const family = async (person: PersonRef) => {
    const session = await mesh.person({ person, role: 'operator' });
    const strong = await mesh.token({ as: session.secret, role: 'operator', name: 'strong' });
    const weak = await mesh.token({ as: session.secret, role: 'viewer', name: 'weak' });
    const narrow = await mesh.token({ as: strong.secret, role: 'viewer', name: 'narrow', scope: PLATFORM, days: 5 });
    return { session, strong, weak, narrow };
  };
  const ids = (tokens: readonly Token[]) => tokens.map(({ id }) => id).sort();

  it('ends everything when nothing remains, the sessions too, in the name of who decided it', async () => {
    const person = someone();
    const { session, strong, weak, narrow } = await family(person);
    const others = await family(someone());
    const got = await retire(person, { address: '192.0.2.9' });
    assert.equal(got.status, 200);
    assert.deepEqual(ids(got.body.items), ids([strong, weak, narrow]), 'sessions are not listed');
    for (const token of [session, strong, weak, narrow]) assert.equal(await stateOf(token), 'revoked', token.name);
    for (const token of Object.values(others)) assert.equal(await stateOf(token), 'active');
    const trail = await mesh.ask<List<AuditEntry>>('GET', `/v1/audit?target=${person.id}&action=delegations.retire`);
    assert.equal(trail.body.items.length, 1);
    const [entry] = trail.body.items;
    assert.deepEqual([entry?.actor, entry?.address], [GRACE, '192.0.2.9']);
    for (const token of [session, strong, weak, narrow]) assert.ok(entry?.detail?.includes(token.id));
    assert.deepEqual((await retire(person)).body.items, [], 'once is enough');
  });

  it('ends what exceeds the rights that remain, and keeps the rest', async () => {
    const person = someone();
    const { session, strong, weak, narrow } = await family(person);
    const narrowed = await retire(person, { limit: { role: 'viewer', scope: ALL } });
    assert.deepEqual(ids(narrowed.body.items), [strong.id]);
    assert.deepEqual(
      [await stateOf(session), await stateOf(weak), await stateOf(narrow)],
      ['revoked', 'active', 'active'],
    );
    const moved = await retire(person, { limit: { role: 'operator', scope: PLATFORM } });
    assert.deepEqual(ids(moved.body.items), [weak.id]);
    assert.equal(await stateOf(narrow), 'active');
    assert.deepEqual(ids((await retire(person, { limit: { role: 'no-such-role', scope: ALL } })).body.items), [
      narrow.id,
    ]);
  });

  it('includes what the person rotated, whose secret they have seen', async () => {
    const person = someone();
    const { secret } = await mesh.person({ person, role: 'owner' });
    const shared = await mesh.token({ role: 'pipeline' });
    const rotated = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${shared.id}/rotate`, {
      token: secret,
      body: {},
    });
    assert.deepEqual(ids((await retire(person)).body.items), [rotated.body.id]);
    assert.equal(await stateOf(shared), 'revoked', 'the secret that it replaced goes too');
  });

  it('says in a preview what would end, and ends nothing', async () => {
    const person = someone();
    const { session, strong, weak, narrow } = await family(person);
    const got = await retire(person, { preview: true });
    assert.deepEqual(ids(got.body.items), ids([strong, weak, narrow]));
    for (const token of [session, strong, weak, narrow]) assert.equal(await stateOf(token), 'active');
  });

  it('names the person who decided it as the trail shows them', async () => {
    for (const name of ['', 'a\nb', '\u202egrace']) {
      assert.equal((await retire(someone(), { by: { ...GRACE, name } })).status, 422, JSON.stringify(name));
    }
    assert.equal((await retire(someone(), { by: { kind: 'system', id: null, name: 'oidc' } })).status, 200);
  });

  it('is for the panel alone', async () => {
    const got = await retire(someone(), {}, mesh.owner);
    assert.deepEqual([got.status, got.body.code], [403, 'permission_denied']);
  });
});
