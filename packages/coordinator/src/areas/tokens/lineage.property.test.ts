import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { covers, type Role, type Scope, type Token, type TokenWithSecret, type Whoami } from '@meshwork/contract';
import fc from 'fast-check';
import { ALL, TestCoordinator } from '../../../test/harness.ts';

const SCOPES: readonly Scope[] = [
  ALL,
  { ...ALL, team: 'a' },
  { ...ALL, team: 'b' },
  { ...ALL, team: 'a', surface: 'x' },
];
const POWERS = ['tokens:create', 'tokens:rotate', 'tokens:revoke', 'tokens:read'];
const EXTRAS = ['nodes:read', 'relays:read', 'ingress:write', 'acls:read'];
const ROLES = ['one', 'two', 'three'];
const WORKS: readonly string[] = ['active', 'retiring', 'used_up'];

type Step =
  | { readonly do: 'make'; readonly by: number; readonly role: number; readonly scope: number; readonly days: number }
  | { readonly do: 'rotate'; readonly by: number; readonly token: number; readonly days: number | null }
  | { readonly do: 'revoke'; readonly token: number; readonly children: boolean }
  | { readonly do: 'demote'; readonly role: number; readonly extras: readonly string[] }
  | { readonly do: 'wait'; readonly hours: number };

const index = fc.nat({ max: 11 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('make' as const),
      by: index,
      role: fc.nat({ max: 2 }),
      scope: fc.nat({ max: 3 }),
      days: fc.constantFrom(1, 2, 3, 10, 12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rotate' as const),
      by: index,
      token: index,
      days: fc.option(fc.integer({ min: 1, max: 12 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), token: index, children: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('demote' as const), role: fc.nat({ max: 2 }), extras: fc.subarray(EXTRAS) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
);

/** What the test knows by itself: who made or rotated what, by the calls it has made. */
interface Known {
  readonly secret: string;
  /** Whose secret was used; undefined for the owner, who bounds nothing but by its rank, which is everything. */
  readonly maker: string | undefined;
  readonly line: string;
}

describe('a random family of tokens', () => {
  let mesh: TestCoordinator;
  let root: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    root = mesh.owner;
    for (const name of ROLES) {
      await mesh.ask('POST', '/v1/auth/roles', { body: { name, permissions: [...POWERS, ...EXTRAS] } });
    }
  });
  after(() => mesh.close());

  it('has no member that may do more, sees further or lasts longer than a living ancestor', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const owner = await renewOwner();
        const known = new Map<string, Known>();
        for (const one of steps) {
          await take(one, known);
          await check(known, owner);
        }
      }),
      // The steps are printed in full; finding fewer of them would take minutes.
      { numRuns: 15, endOnFailure: true },
    );
  });

  /** Each run has an owner of its own, which no run can outlast. What makes them is renewed in time. */
  async function renewOwner(): Promise<string> {
    const { actor } = (await mesh.ask<Whoami>('GET', '/v1/auth/whoami', { token: root })).body;
    const body = { expires: mesh.inDays(360), deadline_s: 0 };
    const renewed = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${actor.id}/rotate`, {
      token: root,
      body,
    });
    root = renewed.body.secret;
    const owner = await mesh.token({ role: 'owner', days: 300, as: root });
    mesh.owner = owner.secret;
    for (const name of ROLES) await define(name, EXTRAS);
    return owner.id;
  }

  const define = (name: string, extras: readonly string[]) =>
    mesh.ask<Role>('PUT', `/v1/auth/roles/${name}`, { body: { permissions: [...POWERS, ...extras] } });

  /** What is refused is refused: the property is about what was let through. */
  async function take(one: Step, known: Map<string, Known>): Promise<void> {
    const pick = (at: number) => [...known.entries()][at % (known.size + 1)];
    switch (one.do) {
      case 'make': {
        const by = pick(one.by);
        const body = { name: 'x', role: ROLES[one.role], scope: SCOPES[one.scope], expires: mesh.inDays(one.days) };
        const got = await mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', {
          body,
          token: by?.[1].secret ?? mesh.owner,
        });
        if (got.status !== 201) return;
        known.set(got.body.id, { secret: got.body.secret, maker: by?.[0], line: got.body.id });
        return;
      }
      case 'rotate': {
        const [by, old] = [pick(one.by), pick(one.token)];
        if (old === undefined) return;
        const got = await mesh.ask<TokenWithSecret>('POST', `/v1/auth/tokens/${old[0]}/rotate`, {
          body: one.days === null ? {} : { expires: mesh.inDays(one.days) },
          token: by?.[1].secret ?? mesh.owner,
        });
        if (got.status !== 201) return;
        known.set(got.body.id, { secret: got.body.secret, maker: by?.[0], line: old[1].line });
        return;
      }
      case 'revoke': {
        const token = pick(one.token);
        if (token === undefined) return;
        await mesh.ask('DELETE', `/v1/auth/tokens/${token[0]}?children=${one.children}`);
        return;
      }
      case 'demote':
        await define(ROLES[one.role] ?? '', one.extras);
        return;
      case 'wait':
        mesh.clock.advance(one.hours * 3600);
    }
  }

  async function check(known: ReadonlyMap<string, Known>, owner: string): Promise<void> {
    const all = await mesh.ask<{ items: Token[] }>('GET', `/v1/auth/tokens?made_by=${owner}&limit=200`);
    const shown = new Map(all.body.items.map((token) => [token.id, token]));
    const newest = (line: string) => [...known.keys()].findLast((id) => known.get(id)?.line === line) ?? line;
    for (const [id, token] of shown) {
      if (!WORKS.includes(token.state)) continue;
      const own = known.get(id)?.line;
      for (let maker = known.get(id)?.maker; maker !== undefined; maker = known.get(maker)?.maker) {
        const line = known.get(maker)?.line ?? '';
        const ancestor = shown.get(newest(line));
        if (ancestor === undefined || line === own || !WORKS.includes(ancestor.state)) continue;
        const what = `${id} by ${ancestor.id}`;
        assert.ok(covers(ancestor.scope, token.scope), `the scope of ${what}`);
        const beyond = token.permissions.filter((one) => !ancestor.permissions.includes(one));
        assert.deepEqual(beyond, [], `the permissions of ${what}`);
        assert.ok(Date.parse(token.expires) <= Date.parse(ancestor.expires), `the expiry of ${what}`);
      }
    }
  }
});
