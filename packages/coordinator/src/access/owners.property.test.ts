import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EnrolledNode, Node, NodeOperation, TokenWithSecret } from '@meshwork/contract';
import fc from 'fast-check';
import { ALL, TestCoordinator } from '../../test/harness.ts';
import { newKeys, publicHalves } from '../../test/test-node.ts';

/** What none of alpha's tokens may set: the one has an owner, the others open more than alpha. */
const FORBIDDEN = ['role:dba', 'role:ops', 'audited'] as const;
const POLICY = {
  groups: { dba: ['tag:role:dba'], ops: ['tag:role:ops'], staff: ['group:ops'], web: ['tag:role:web'], all: ['*'] },
  grants: [
    { from: 'dba', to: 'all', allow: ['tcp:5432'] },
    { from: 'staff', to: 'all', allow: ['tcp:22'] },
    { from: 'web', to: 'web', allow: ['tcp:80'], within: 'boundary' },
    { from: 'web', to: 'all', allow: ['tcp:80'], when: { tag: 'audited' } },
  ],
  tag_owners: { 'tag:role:dba': ['scope:beta/*/*'], 'tag:role:web': ['scope:*/*/*'] },
};

const tags = fc.uniqueArray(fc.constantFrom(...FORBIDDEN, 'role:web', 'rack:7', 'surface:git', 'env:prod'), {
  maxLength: 4,
});
const place = fc.nat(20);
const scope = fc.record({ surface: fc.constantFrom('*', 'git'), environment: fc.constantFrom('*', 'prod') });
const call = fc.oneof(
  fc.record({ what: fc.constant('enroll' as const), by: place, tags }),
  fc.record({ what: fc.constant('retag' as const), by: place, node: place, tags }),
  fc.record({ what: fc.constant('cancel' as const), by: place, operation: place }),
  fc.record({ what: fc.constant('approve' as const), by: place, node: place }),
  fc.record({ what: fc.constant('mint' as const), by: place, scope, tags }),
  fc.record({ what: fc.constant('rotate' as const), by: place }),
  // The whole mesh may: it puts tags on alpha's nodes, and takes them off again.
  fc.record({ what: fc.constant('bring' as const), tags }),
  fc.record({ what: fc.constant('admin' as const), node: place, tags }),
);

type Call = typeof call extends fc.Arbitrary<infer Some> ? Some : never;

describe('tokens of one boundary', () => {
  let mesh: TestCoordinator;
  let number = 0;
  before(async () => {
    mesh = await TestCoordinator.start();
    const settings = { api: { rate_per_s: 100_000, burst: 100_000 }, nodes: { require_approval: true } };
    await mesh.ask('PATCH', '/v1/settings', { body: settings });
    assert.equal((await mesh.ask('PUT', '/v1/acls', { body: POLICY })).status, 200);
  });
  after(() => mesh.close());

  const forbiddenOn = async (nodes: readonly string[]) => {
    const shown = await Promise.all(nodes.map((id) => mesh.ask<Node>('GET', `/v1/nodes/${id}`)));
    return shown.map(({ body }) => FORBIDDEN.filter((tag) => body.tags.includes(tag)));
  };

  it('never put a tag on a node that reaches beyond them, whatever they do one after another', async () => {
    const run = async (calls: readonly Call[]) => {
      const tokens = [await mesh.token({ role: 'owner', scope: { team: 'alpha' } })];
      const nodes: string[] = [];
      const operations: string[] = [];
      const at = <T>(list: readonly T[], index: number): T | undefined => list[index % Math.max(list.length, 1)];
      const secret = (by: number) => at(tokens, by)?.secret ?? '';
      for (const one of calls) {
        const before = await forbiddenOn(nodes);
        switch (one.what) {
          case 'bring':
          case 'enroll': {
            const byAdmin = one.what === 'bring';
            const wanted = byAdmin ? ['team:alpha', ...one.tags] : one.tags;
            const body = { name: `p-${++number}`, ...publicHalves(newKeys()), tags: wanted };
            const token = byAdmin ? mesh.owner : secret(one.by);
            const got = await mesh.ask<EnrolledNode>('POST', '/v1/nodes', { body, token });
            if (got.status === 201) nodes.push(got.body.id);
            break;
          }
          case 'admin':
          case 'retag': {
            const wanted = { tags: one.what === 'admin' ? ['team:alpha', ...one.tags] : one.tags };
            const token = one.what === 'admin' ? mesh.owner : secret(one.by);
            const path = `/v1/nodes/${at(nodes, one.node)}/tags`;
            const got = await mesh.ask<NodeOperation>('PUT', path, { body: wanted, token });
            if (got.status === 202) operations.push(got.body.id);
            break;
          }
          case 'cancel':
            await mesh.ask('DELETE', `/v1/operations/${at(operations, one.operation)}`, { token: secret(one.by) });
            break;
          case 'approve':
            await mesh.ask('POST', `/v1/nodes/${at(nodes, one.node)}/approve`, { body: {}, token: secret(one.by) });
            break;
          case 'mint': {
            const body = {
              name: 'child',
              role: 'owner',
              expires: mesh.inDays(1),
              scope: { ...ALL, team: 'alpha', ...one.scope },
              tags: one.tags.filter((tag) => !/^(?:surface|env):/.test(tag)),
            };
            const got = await mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body, token: secret(one.by) });
            if (got.status === 201) tokens.push(got.body);
            break;
          }
          case 'rotate': {
            const path = `/v1/auth/tokens/${at(tokens, one.by)?.id}/rotate`;
            const got = await mesh.ask<TokenWithSecret>('POST', path, { body: {}, token: secret(one.by) });
            if (got.status === 201) tokens.push(got.body);
            break;
          }
        }
        if (one.what === 'admin' || one.what === 'bring') continue;
        for (const [index, found] of (await forbiddenOn(nodes)).entries()) {
          const gained = found.filter((tag) => before[index]?.includes(tag) !== true);
          assert.deepEqual(gained, [], `${JSON.stringify(one)} put ${gained} on a node`);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(call, { minLength: 3, maxLength: 16 }), run), { numRuns: 60 });
  });
});
