/** Passes into ingresses that ask people to sign in: who gets one, what is in it, and when those from before end. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Abilities, AuditEntry, Ingress, IngressAssignment, Problem } from '@meshwork/contract';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };
const HOST = 'wiki.example.net';
const STATE = 'EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXA';
const ADA = { id: 'user_01jcqv4d2ye8r9k7d0w8m2b4np', name: 'Ada Lovelace' };
const ALL = { team: '*', surface: '*', environment: '*' };
const OLDER: Abilities = { ...EVERYTHING, features: ['client_certificates', 'mesh_identity'] };

interface Given {
  readonly pass: string;
  readonly url: string;
  readonly expires: string;
}

describe('passes into ingresses', () => {
  let mesh: TestCoordinator;
  let ingress: Ingress;
  let panel: string;
  before(async () => {
    mesh = await TestCoordinator.startWithPanel();
    panel = (await readFile(join(mesh.folder, 'panel-token'), 'utf8')).trim();
    ingress = (await create({ hostname: HOST, replicas: 2, sign_in: { groups: ['staff'] } })).body;
  });
  after(() => mesh.close());

  let made = 0;
  const create = (more: object) => {
    const hostname = `host-${made++}.example.net`;
    const body = { name: 'app', hostname, service: 'app', scope: PLATFORM, gateways: ['tag:role:gateway'], ...more };
    return mesh.ask<Ingress & Problem>('POST', '/v1/ingress', { body });
  };
  const change = (sign_in: object | null) =>
    mesh.ask<Ingress & Problem>('PATCH', `/v1/ingress/${ingress.id}`, { body: { sign_in } });
  const pass = (over: object = {}, token = panel) =>
    mesh.ask<Given & Problem>('POST', '/v1/auth/passes', {
      token,
      body: {
        person: ADA,
        user: 'ada',
        groups: ['staff', 'ops'],
        scope: ALL,
        hostname: HOST,
        state: STATE,
        address: '192.0.2.40',
        ...over,
      },
    });
  const retire = (more: object = {}) =>
    mesh.ask('POST', '/v1/auth/delegations/retire', {
      token: panel,
      body: { person: ADA, by: { kind: 'person', id: ADA.id, name: 'ada' }, limit: null, ...more },
    });
  const gateway = async (name: string, abilities: Abilities) => {
    const { team, surface, environment } = PLATFORM;
    const tags = ['role:gateway', `team:${team}`, `surface:${surface}`, `env:${environment}`];
    const node = await TestNode.enroll(mesh, { name, tags });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };
  const claimsOf = (text: string, keys: readonly string[]) => {
    const [payload = '', signature = ''] = text.split('.');
    const isGood = keys.some((x) => {
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      return verify(null, Buffer.from(payload), key, Buffer.from(signature, 'base64url'));
    });
    assert.ok(isGood, 'it is signed by a key that gateways were sent');
    return JSON.parse(Buffer.from(payload, 'base64url').toString());
  };

  it('are for those whom the ingress names, and the trail has who entered and who was refused', async () => {
    const given = await pass();
    assert.equal(given.status, 200, JSON.stringify(given.body));
    assert.equal(given.body.url, `https://${HOST}/.meshwork/sign-in`);
    const lasts_ms = Date.parse(given.body.expires) - mesh.clock.now();
    assert.ok(lasts_ms > 0 && lasts_ms <= 60_000, given.body.expires);
    const outsider = await pass({ groups: ['ops'] });
    assert.deepEqual([outsider.status, outsider.body.code], [403, 'entry_refused']);
    assert.equal(outsider.body.detail, `Your account is in none of the groups that may enter ${HOST}.`);
    const { body } = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=delegations.pass&limit=10');
    const [refused, done] = body.items;
    assert.deepEqual([refused?.outcome, refused?.code], ['refused', 'entry_refused']);
    assert.deepEqual(
      [done?.actor, done?.address, done?.target],
      [{ kind: 'person', ...ADA }, '192.0.2.40', { kind: 'ingress', id: ingress.id }],
    );
    assert.ok(!JSON.stringify(body).includes(given.body.pass), 'no pass is in the trail');
  });

  it('follow what the ingress says of groups, people and its scope', async () => {
    await change({ groups: [], people: ['ada'] });
    assert.deepEqual([(await pass()).status, (await pass({ user: 'eve' })).status], [200, 403]);
    await change({ people: [] });
    assert.equal((await pass({ groups: [] })).status, 200);
    assert.equal((await pass({ groups: [], scope: PLATFORM })).status, 200);
    const elsewhere = await pass({ scope: { ...PLATFORM, team: 'other' } });
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [403, 'entry_refused']);
    await change(null);
    assert.equal((await pass()).status, 404);
    assert.equal((await pass({ hostname: 'nowhere.example.net' })).status, 404);
    await change({ groups: ['staff'] });
  });

  it('are made by the panel alone', async () => {
    const got = await pass({}, mesh.owner);
    assert.deepEqual([got.status, got.body.code], [403, 'permission_denied']);
    const announced = await mesh.ask('PUT', '/v1/auth/panel', { body: { url: 'https://evil.example' } });
    assert.equal(announced.status, 403);
    for (const url of [
      'javascript:alert(1)',
      'https://evil.example/path',
      'https://a b',
      'https://user@evil.example',
    ]) {
      assert.equal((await mesh.ask('PUT', '/v1/auth/panel', { token: panel, body: { url } })).status, 422, url);
    }
  });

  it('are known to gateways by their keys, with what has ended since', PATIENT, async () => {
    assert.equal(
      (await mesh.ask('PUT', '/v1/auth/panel', { token: panel, body: { url: 'https://panel.example.net' } })).status,
      200,
    );
    const node = await gateway('gw-1', EVERYTHING);
    const sent = async () =>
      ((await node.beat({ complete: true, revision: 0 })).body.ingress ?? []).find(({ id }) => id === ingress.id) as
        | IngressAssignment
        | undefined;
    await mesh.until(async () => (await sent()) !== undefined);
    const rule = async () => (await sent())?.sign_in ?? assert.fail('it was sent no ingress that asks for sign-in');
    const { keys, ...rest } = await rule();
    assert.deepEqual(rest, {
      ...{ groups: ['staff'], people: [], nodes: true, open: [], session_s: 28_800 },
      ...{ panel: 'https://panel.example.net', not_before_ms: 0, ended: [] },
    });
    const { made_ms, ...claims } = claimsOf((await pass()).body.pass, keys);
    assert.deepEqual(claims, {
      ...{ ingress: ingress.id, hostname: HOST, person: ADA.id, user: 'ada', groups: ['staff', 'ops'], state: STATE },
    });
    await retire({ preview: true });
    assert.deepEqual((await rule()).ended, []);
    await retire({ limit: { role: 'owner', scope: ALL }, keep_tokens: true });
    const [ended] = (await rule()).ended;
    assert.equal(ended?.person, ADA.id);
    assert.ok((ended?.at_ms ?? 0) > made_ms);
    const next = claimsOf((await pass()).body.pass, keys);
    assert.ok(next.made_ms > (ended?.at_ms ?? 0), 'a new one counts at once');
    // Whatever their number: the oldest make way for a moment that counts for all.
    for (let count = 0; count < 205; count++) {
      const id = `user_01jcqv4d2ye8r9k7d0w8m${String(count).padStart(5, '0')}`;
      await retire({ person: { id, name: 'x' } });
    }
    const many = await rule();
    assert.equal(many.ended.length, 200);
    assert.ok(many.not_before_ms > 0);
  });

  it('of people in very many groups fit into a cookie, those that count first', async () => {
    const groups = Array.from({ length: 400 }, (_, index) => `department-with-a-long-name/${index}`);
    await change({ groups: [groups.at(-1) ?? ''] });
    const { body } = await pass({ groups });
    assert.ok(body.pass.length < 3400, `${body.pass.length}`);
    const payload = JSON.parse(Buffer.from(body.pass.split('.')[0] ?? '', 'base64url').toString());
    assert.equal(payload.groups[0], groups.at(-1));
    assert.equal((await pass({ groups: [...groups, ...groups] })).status, 422);
  });
});

describe('an ingress that asks people to sign in', () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
  });
  after(() => mesh.close());
  let made = 0;
  const create = (more: object) =>
    mesh.ask<Ingress & Problem>('POST', '/v1/ingress', {
      body: {
        name: 'app',
        hostname: `app-${made++}.example.net`,
        service: 'app',
        scope: PLATFORM,
        gateways: ['tag:role:gateway'],
        ...more,
      },
    });

  it('does not by default, and only where no request goes past it', async () => {
    assert.equal((await create({})).body.sign_in, null);
    const sign_in = {};
    for (const wrong of [
      { kind: 'tcp', port: 5432, sign_in },
      { tls: { certificate: 'none', redirect: false }, sign_in },
      { tls: { redirect: false }, sign_in },
      { upstream: { protocol: 'grpc' }, sign_in },
      { routes: [{ path: '/a', service: 'a', upstream: { protocol: 'grpcs' } }], sign_in },
    ]) {
      const got = await create(wrong);
      assert.deepEqual([got.status, got.body.errors?.[0]?.pointer], [422, '/sign_in'], JSON.stringify(wrong));
    }
    for (const wrong of [
      { groups: ['a b'] },
      { groups: ['a,b'] },
      { people: ['Ada'] },
      { open: ['hooks'] },
      { session_s: 60 },
      { open: ['/a/../b'] },
    ]) {
      assert.equal((await create({ sign_in: wrong })).status, 422, JSON.stringify(wrong));
    }
  });

  it('keeps what a change does not name', async () => {
    const { body } = await create({ sign_in: { groups: ['staff'], open: ['/hooks'] } });
    assert.match(body.problem ?? '', /no panel has said where it is|gateway/);
    assert.deepEqual(body.sign_in, { groups: ['staff'], people: [], nodes: true, open: ['/hooks'], session_s: 28_800 });
    const patch = (sign_in: object | null) =>
      mesh.ask<Ingress>('PATCH', `/v1/ingress/${body.id}`, { body: { sign_in } });
    assert.deepEqual((await patch({ nodes: false })).body.sign_in, { ...body.sign_in, nodes: false });
    assert.equal((await patch(null)).body.sign_in, null);
  });

  it('is given to no agent that would let everyone through', PATIENT, async () => {
    const { team, surface, environment } = PLATFORM;
    const tags = ['role:gateway', `team:${team}`, `surface:${surface}`, `env:${environment}`];
    const older = await TestNode.enroll(mesh, { name: 'gw-older', tags });
    await older.beat({ complete: true, report: { abilities: OLDER } });
    const { body } = await create({ sign_in: {} });
    const shown = await mesh.ask<Ingress>('GET', `/v1/ingress/${body.id}`);
    assert.match(shown.body.problem ?? '', /the agent of gw-older is too old for people who sign in/);
    const sent = (await older.beat({ complete: true, revision: 0 })).body.ingress ?? [];
    assert.deepEqual(
      sent.map(({ id }) => id).filter((id) => id === body.id),
      [],
    );
  });
});
