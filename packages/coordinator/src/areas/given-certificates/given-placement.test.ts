/** Given certificates on their way to gateways: who is sent a key, what a gateway has to prove, and what ends it. */
import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Abilities, GivenCertificate, Ingress, Problem } from '@meshwork/contract';
import { givenAuthority } from '@meshwork/pki/testing';
import { PLATFORM, TestCoordinator } from '../../../test/harness.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const PATIENT = { timeout: 60_000 };
const OLDER: Abilities = {
  ...EVERYTHING,
  sections: EVERYTHING.sections.filter((section) => section !== 'given_certificates'),
  features: ['client_certificates', 'mesh_identity'],
};

describe('a given certificate and its gateways', { timeout: 160_000 }, () => {
  let mesh: TestCoordinator;
  let authority: Awaited<ReturnType<typeof givenAuthority>>;
  before(async () => {
    mesh = await TestCoordinator.start();
    await mesh.ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
    authority = await givenAuthority('Public', mesh.clock.now());
  });
  after(() => mesh.close());

  const issue = async (...names: readonly string[]) => {
    const { chain, private_key } = await authority.issue({ names: names.map((name) => `DNS:${name}`) });
    return { chain, private_key };
  };
  const gateway = async (name: string, team: string, abilities: Abilities = EVERYTHING): Promise<TestNode> => {
    const tags = ['role:gateway', `team:${team}`, `surface:${PLATFORM.surface}`, `env:${PLATFORM.environment}`];
    const node = await TestNode.enroll(mesh, { name, tags });
    await node.beat({ complete: true, report: { abilities } });
    return node;
  };
  const opened = async (team: string, more: object = {}) => {
    const scope = { ...PLATFORM, team };
    const hostname = `${team}.example.net`;
    const pem = await issue(hostname);
    const given = await mesh.ask<GivenCertificate>('POST', '/v1/given-certificates', { body: { name: team, ...pem } });
    assert.equal(given.status, 201, given.text);
    const body = { name: team, hostname, service: 'web', scope, gateways: ['tag:role:gateway'], ...more };
    const made = await mesh.ask<Ingress & Problem>('POST', '/v1/ingress', {
      body: { tls: { certificate: team }, ...body },
    });
    assert.equal(made.status, 201, made.text);
    return { given: given.body, ingress: made.body, pem };
  };
  const shownIngress = async ({ id }: Ingress) => (await mesh.ask<Ingress>('GET', `/v1/ingress/${id}`)).body;
  const shownGiven = async ({ id }: GivenCertificate) =>
    (await mesh.ask<GivenCertificate>('GET', `/v1/given-certificates/${id}`)).body;
  const assigned = (t: TestContext, ingress: Ingress, ...names: string[]) =>
    t.waitFor(async () => {
      const { assigned_to } = await shownIngress(ingress);
      assert.deepEqual(
        assigned_to.map(({ name }) => name),
        names,
      );
    }, PATIENT);
  const problem = async (ingress: Ingress) => (await shownIngress(ingress)).assigned_to[0]?.problem;
  const observed = (ingress: Ingress, certificate?: string) => ({
    ingress: [{ id: ingress.id, connections: 0, ...(certificate === undefined ? {} : { certificate }) }],
  });

  it('are sent the key where an ingress shows it, and no other node is', async (t) => {
    const [gw, other] = [await gateway('gw-sent', 'sent'), await gateway('gw-other', 'other')];
    const { given, ingress, pem } = await opened('sent');
    await assigned(t, ingress, 'gw-sent');
    await gw.beat();
    await other.beat();
    const [sent] = gw.held.given_certificates;
    assert.deepEqual([sent?.id, sent?.chain], [given.id, pem.chain]);
    assert.equal(sent?.private_key.trim(), pem.private_key.trim());
    assert.deepEqual([gw.held.ingress[0]?.tls?.given, gw.held.ingress[0]?.tls?.chain], [given.id, null]);
    assert.deepEqual(other.held.given_certificates, []);
    const changed = await mesh.ask('PATCH', `/v1/ingress/${ingress.id}`, { body: { tls: { certificate: 'mesh' } } });
    assert.equal(changed.status, 200, changed.text);
    await gw.beat();
    assert.deepEqual([gw.held.given_certificates, gw.held.ingress[0]?.tls?.given], [[], undefined]);
  });

  it('count as served by those that prove by its fingerprint that clients get it', async (t) => {
    const gw = await gateway('gw-proof', 'proof');
    const { given, ingress } = await opened('proof');
    await assigned(t, ingress, 'gw-proof');
    await gw.beat({ complete: true });
    const { given_certificates, ...rest } = gw.applied();
    await gw.beat({ applied: rest, observed: observed(ingress) });
    assert.match((await problem(ingress)) ?? '', /The certificate is not in effect: the node has not said/);
    assert.ok(given_certificates);
    await gw.beat({ applied: { given_certificates } });
    assert.equal(await problem(ingress), 'The gateway has not reported which certificate clients get.');
    await gw.beat({ observed: observed(ingress, 'ab'.repeat(32)) });
    assert.equal(await problem(ingress), 'Clients get another certificate there.');
    assert.deepEqual((await shownGiven(given)).shown_by, [
      {
        node: gw.id,
        name: 'gw-proof',
        ingress: ingress.id,
        fingerprint: 'ab'.repeat(32),
        current: false,
        problem: 'Clients get another certificate there.',
      },
    ]);
    await gw.beat({ observed: observed(ingress, given.fingerprint) });
    assert.equal(await problem(ingress), null);
    assert.equal((await shownGiven(given)).shown_by[0]?.current, true);
    assert.equal((await shownIngress(ingress)).state, 'serving');

    const renewed = await mesh.ask<GivenCertificate>('PUT', `/v1/given-certificates/proof`, {
      body: await issue('proof.example.net'),
    });
    assert.equal(renewed.status, 200, renewed.text);
    assert.equal(renewed.body.shown_by[0]?.current, false, 'until it proves the new one');
    await gw.beat();
    assert.equal(gw.held.given_certificates[0]?.id, given.id);
    await gw.beat({ applied: gw.applied(), observed: observed(ingress, renewed.body.fingerprint) });
    assert.equal((await shownGiven(given)).shown_by[0]?.current, true);
    await gw.beat({
      applied: { given_certificates: { revision: gw.revision, digest: '0'.repeat(12), error: 'the disk is full' } },
    });
    assert.match((await problem(ingress)) ?? '', /the disk is full/);
  });

  it('are never shown by an agent that is too old, also where it served the ingress before', async (t) => {
    const scope = { ...PLATFORM, team: 'aged' };
    const older = await gateway('gw-aged', 'aged', OLDER);
    const { ingress } = await opened('aged');
    const why = 'the agent of gw-aged is too old for certificates that operators bring, one of which the ingress shows';
    assert.equal((await shownIngress(ingress)).problem, `It has 0 of 1 gateways: ${why}.`);
    const pem = await issue('later.example.net');
    await mesh.ask('POST', '/v1/given-certificates', { body: { name: 'later', ...pem } });
    const body = { name: 'later', hostname: 'later.example.net', service: 'web', scope, gateways: ['node:gw-aged'] };
    const { body: later } = await mesh.ask<Ingress>('POST', '/v1/ingress', { body });
    await assigned(t, later, 'gw-aged');
    await older.beat();
    assert.equal(older.held.ingress.length, 1);
    await mesh.ask('PATCH', `/v1/ingress/${later.id}`, { body: { tls: { certificate: 'later' } } });
    const { text } = await older.beat();
    assert.deepEqual(older.held.ingress, [], 'before it is placed elsewhere');
    assert.ok(!text.includes('given_certificates') && !text.includes('PRIVATE KEY'));
    await older.beat({ report: { abilities: EVERYTHING } });
    await assigned(t, later, 'gw-aged');
  });
});
