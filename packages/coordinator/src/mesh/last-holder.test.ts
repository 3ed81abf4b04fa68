import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { EnrolledNode, Problem } from '@meshwork/contract';
import { TestCoordinator } from '../../test/harness.ts';
import { put, TestFleet } from '../../test/test-fleet.ts';
import { newKeys, publicHalves } from '../../test/test-node.ts';
import { forgetNodes } from '../areas/nodes/forget-nodes.ts';
import { lastHolder } from './last-holder.ts';
import { POLICY_ID, sha256Of } from './policy-in-effect.ts';

const mentioning = (...names: string[]) => ({ groups: { bastions: names.map((name) => `node:${name}`) } });

describe('a name that the policy mentions', () => {
  let mesh: TestCoordinator;
  let alpha: string;
  let beta: string;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 100_000, burst: 100_000 } } });
    alpha = (await mesh.token({ role: 'owner', scope: { team: 'alpha' } })).secret;
    beta = (await mesh.token({ role: 'owner', scope: { team: 'beta' } })).secret;
  });
  after(() => mesh.close());

  const mention = async (policy: object) => {
    const got = await mesh.ask('PUT', '/v1/acls', { body: policy });
    assert.equal(got.status, 200, got.text);
  };
  const enroll = (name: string, token: string, tags: readonly string[] = []) =>
    mesh.ask<EnrolledNode & Problem>('POST', '/v1/nodes', {
      body: { name, ...publicHalves(newKeys()), tags },
      token,
    });
  const remove = async (id: string) => {
    assert.equal((await mesh.ask('DELETE', `/v1/nodes/${id}`)).status, 202);
  };

  it('is not for a stranger when its node is removed', async () => {
    await mention(mentioning('bastion'));
    const first = await enroll('bastion', mesh.owner, ['team:beta']);
    await remove(first.body.id);
    const refused = await enroll('bastion', alpha);
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.detail],
      [
        403,
        'not_owner',
        'The policy mentions the name "bastion", which a node of team beta had before: it may be taken by team beta or by a mesh-wide token.',
      ],
    );
    const second = await enroll('bastion', beta);
    assert.equal(second.status, 201, second.text);
    await remove(second.body.id);
    assert.equal((await enroll('bastion', mesh.owner, ['team:alpha'])).status, 201);
  });

  it('is the whole mesh’s while no node ever had it', async () => {
    await mention({ ...mentioning('never-1'), tag_owners: { 'node:never-2': [] } });
    for (const name of ['never-1', 'never-2']) {
      assert.equal((await enroll(name, alpha)).body.code, 'not_owner');
      assert.equal((await enroll(name, mesh.owner)).status, 201);
    }
  });

  it('stays where it was also when it is mentioned only after its node was removed', async () => {
    await mention({});
    const first = await enroll('late', beta);
    await remove(first.body.id);
    await mention(mentioning('late'));
    assert.equal((await enroll('late', alpha)).body.code, 'not_owner');
    assert.equal((await enroll('late', beta)).status, 201);
  });

  it('goes to its owners where it has some, not to the last holder', async () => {
    const first = await enroll('vault', alpha);
    await remove(first.body.id);
    await mention({ tag_owners: { 'node:vault': ['scope:beta/*/*'] } });
    const refused = await enroll('vault', alpha);
    assert.equal(
      refused.body.detail,
      'The name "vault" may be taken by team beta (tag_owners) or by a mesh-wide token.',
    );
    assert.equal((await enroll('vault', beta)).status, 201);
  });

  it('is not taken along into another boundary by who does not own it', async () => {
    const git = (await mesh.token({ role: 'owner', scope: { surface: 'git' } })).secret;
    const node = await enroll('mover', mesh.owner, ['team:beta', 'surface:git']);
    await mention({ tag_owners: { 'node:mover': ['scope:beta/*/*'] } });
    const body = { tags: ['team:alpha', 'surface:git'] };
    const move = (token: string) => mesh.ask('PUT', `/v1/nodes/${node.body.id}/tags`, { body, token });
    assert.equal((await move(git)).body.code, 'not_owner');
    assert.equal((await move(mesh.owner)).status, 202);
  });

  it('is checked when a pending node that took it is approved', async () => {
    await mention({});
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: true } } });
    const node = await enroll('waiting', alpha);
    await mention(mentioning('waiting'));
    const approve = (token: string) => mesh.ask('POST', `/v1/nodes/${node.body.id}/approve`, { body: {}, token });
    assert.equal((await approve(alpha)).body.code, 'not_owner');
    assert.equal((await approve(mesh.owner)).status, 202);
    await mesh.ask('PATCH', '/v1/settings', { body: { nodes: { require_approval: false } } });
  });

  it('is free when the policy does not mention it', async () => {
    await mention({});
    const first = await enroll('plain', beta);
    await remove(first.body.id);
    assert.equal((await enroll('plain', alpha)).status, 201);
  });
});

describe('where a name was last', () => {
  let fleet: TestFleet;
  before(async () => {
    fleet = await TestFleet.open();
  });
  after(() => fleet.close());

  const policy = (document: object) => {
    const text = JSON.stringify(document);
    return put('policy', POLICY_ID, {
      version: 1,
      text,
      sha256: sha256Of(text),
      created_at: '2026-01-01T00:00:00Z',
      created_by: { kind: 'system', id: null, name: 'test' },
      note: null,
      restored_from: null,
      lapsed: [],
    });
  };
  const at = (team: string) => ({ team, surface: '*', environment: '*' });

  it('outlives the record of the node, of all that had it the last', async () => {
    await fleet.write(policy(mentioning('bastion')));
    await fleet.node('bastion', { tags: ['team:alpha'], removed_at: '2020-01-01T00:00:00Z' });
    await fleet.node('bastion', { tags: ['team:beta'], removed_at: '2020-03-01T00:00:00Z' });
    await fleet.node('bastion', { tags: ['team:gamma'], removed_at: '2020-02-01T00:00:00Z' });
    assert.deepEqual(lastHolder(fleet.mesh.model, 'bastion'), at('beta'));
    await forgetNodes(fleet.mesh);
    assert.deepEqual([...fleet.mesh.model.all('node')], []);
    assert.deepEqual(lastHolder(fleet.mesh.model, 'bastion'), at('beta'));
    await fleet.down();
    await fleet.up();
    assert.deepEqual(lastHolder(fleet.mesh.model, 'bastion'), at('beta'));
  });

  it('moves on with a later node, and is not remembered of names that the policy does not mention', async () => {
    const late = new Date(fleet.mesh.clock.now()).toISOString();
    await fleet.node('bastion', { tags: ['team:delta'], removed_at: late });
    await fleet.node('other', { tags: ['team:delta'], removed_at: '2020-01-01T00:00:00Z' });
    await forgetNodes(fleet.mesh);
    assert.deepEqual(lastHolder(fleet.mesh.model, 'bastion'), at('delta'));
    assert.equal(lastHolder(fleet.mesh.model, 'other'), undefined);
  });
});
