import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { CheckedPlace, OutsideCheck } from '@meshwork/contract';
import { TestCoordinator } from '../../../../test/harness.ts';
import { OUTSIDE, OutsideScene } from '../../../../test/outside-scene.ts';
import { ProbedNode } from '../../../../test/probed-node.ts';
import { TestNode } from '../../../../test/test-node.ts';

const { a: A, b: B } = OUTSIDE;
const FOREIGN = '203.0.113.9';
const PLAIN = { tls: { certificate: 'none' } };
type Certificate = NonNullable<CheckedPlace['certificate']>;
const foundIn = ({ findings }: OutsideCheck) =>
  findings.map(({ level, finding, address, gateway }) => [level, finding, address, gateway]);

describe('an ingress that is checked from outside', { timeout: 120_000 }, () => {
  let mesh: TestCoordinator;
  before(async () => {
    mesh = await TestCoordinator.start();
  });
  after(() => mesh?.close());

  const open = async (over: object = PLAIN) => {
    const scene = await OutsideScene.open(mesh, over);
    const [a, b] = scene.names;
    const byOwner = ({ address }: Pick<CheckedPlace, 'address'>) => {
      if (address === A) return scene.proven('a');
      return address === B ? scene.proven('b') : {};
    };
    const checked = async (body: object = {}) => {
      const got = await scene.check(body);
      assert.equal(got.status, 200, got.text);
      return got.body;
    };
    return { scene, a, b, byOwner, checked };
  };

  it('is reached where every address of DNS leads to a gateway that proves itself', async () => {
    const { scene, a, b, byOwner, checked } = await open();
    scene.sees([A, B], byOwner);
    const body = await checked();
    assert.equal(body.verdict, 'reached');
    assert.deepEqual([body.name, body.addresses, body.resolvers], [scene.names[2], [A, B], ['192.0.2.53']]);
    assert.deepEqual(foundIn(body), [
      ['good', 'served', A, a],
      ['good', 'served', B, b],
    ]);
    const asked = scene.eye.probes.at(-1)?.ingress_check ?? assert.fail();
    const text = JSON.stringify(asked);
    for (const answer of scene.shown.values())
      assert.ok(!text.includes(answer), 'the node is not sent what it is to find');
    assert.equal(scene.shown.size, 2);
    assert.notEqual(scene.shown.get('a'), scene.shown.get('b'));
    assert.deepEqual([asked.hostname, asked.checks], [scene.ingress.hostname, [{ protocol: 'http', port: 80 }]]);
    const { body: log } = await mesh.ask<{ items: { action: string; detail: string | null }[] }>(
      'GET',
      '/v1/audit?limit=5',
    );
    assert.ok(
      log.items.some(({ detail }) => detail === `checked from outside by ${scene.names[2]}`),
      JSON.stringify(log.items),
    );
    await scene.stop();
  });

  it('names what is wrong with each address, and what to do', async () => {
    const { scene, a, b, byOwner, checked } = await open();
    scene.sees([], byOwner, { dns_fault: 'no_record' });
    const none = await checked();
    assert.equal(none.verdict, 'unreached');
    assert.deepEqual(foundIn(none).slice(0, 1), [['problem', 'no_record', null, null]]);
    assert.match(none.findings[0]?.remedy ?? '', new RegExp(`${A}.*${B}`));
    assert.deepEqual(foundIn(none).slice(1), [
      ['notice', 'not_in_dns', A, a],
      ['notice', 'not_in_dns', B, b],
      ['notice', 'not_reached', null, a],
      ['notice', 'not_reached', null, b],
    ]);

    scene.sees([A, FOREIGN], (place) => (place.address === FOREIGN ? { outcome: 'timed_out' } : byOwner(place)));
    const wrong = await checked();
    assert.equal(wrong.verdict, 'partly');
    assert.deepEqual(foundIn(wrong).slice(0, 1), [['problem', 'unreachable', FOREIGN, null]]);
    assert.match(wrong.findings[0]?.summary ?? '', /no gateway reports this address/);

    scene.sees([A, B], ({ address }) =>
      address === A ? { outcome: 'answered', status: 200 } : { outcome: 'refused' },
    );
    const other = await checked();
    assert.equal(other.verdict, 'unreached');
    assert.deepEqual(foundIn(other).slice(0, 2), [
      ['problem', 'other_server', A, a],
      ['problem', 'unreachable', B, b],
    ]);

    scene.sees(['10.1.1.1', '169.254.169.254'], () => ({ outcome: 'forbidden' }));
    assert.deepEqual(foundIn(await checked()).slice(0, 2), [
      ['problem', 'private_address', '10.1.1.1', null],
      ['problem', 'private_address', '169.254.169.254', null],
    ]);
    await scene.stop();
  });

  it('believes no answer but the one that it gave to a gateway just now', async () => {
    const { scene, byOwner, checked } = await open();
    scene.sees([A], byOwner);
    assert.equal((await checked()).verdict, 'reached');
    const old = scene.shown.get('a') ?? assert.fail();
    scene.sees([A], () => scene.proven('a', { answer: old }));
    assert.equal((await checked()).verdict, 'unreached', 'that of an earlier check');
    const [asked] = scene.gateways[0].probes.slice(-1);
    assert.notEqual(asked?.ingress_proof?.answer, old);
    scene.sees([A], () => scene.proven('a', { answer: scene.eye.probes.at(-1)?.ingress_check?.token ?? '' }));
    assert.equal((await checked()).verdict, 'unreached', 'nor its own question');
    await scene.stop();
  });

  it('knows a load balancer by the gateway behind it', async () => {
    const { scene, a, b, checked } = await open();
    scene.sees([FOREIGN], ({ address }) => (address === FOREIGN ? scene.proven('b') : { outcome: 'timed_out' }));
    const body = await checked();
    assert.equal(body.verdict, 'reached');
    assert.deepEqual(foundIn(body), [
      ['notice', 'not_reached', null, a],
      ['good', 'forwarded', FOREIGN, b],
    ]);
    await scene.stop();
  });

  it('judges the certificate that a gateway shows', async () => {
    const { scene, a, checked } = await open({});
    const day = 86_400_000;
    const at = (days: number) => new Date(mesh.clock.now() + days * day).toISOString();
    const good: Certificate = {
      names: [`DNS:${scene.ingress.hostname}`],
      fits: true,
      not_before: at(-1),
      not_after: at(30),
      issuer: 'x',
      trusted_by: 'public',
    };
    const shows = (certificate: Partial<Certificate>) => {
      scene.sees([A], ({ address, protocol }) => {
        if (address !== A) return {};
        return scene.proven('a', protocol === 'https' ? { certificate: { ...good, ...certificate } } : {});
      });
      return checked();
    };
    const problems = ({ findings }: OutsideCheck) => findings.filter(({ level }) => level === 'problem');
    const fine = await shows({});
    assert.deepEqual([fine.verdict, problems(fine)], ['reached', []]);
    const ofMesh = await shows({ trusted_by: 'mesh' });
    assert.deepEqual(
      [ofMesh.verdict, foundIn(ofMesh).some(([, kind]) => kind === 'mesh_certificate')],
      ['reached', true],
    );
    const bad: readonly (readonly [Partial<Certificate>, RegExp])[] = [
      [{ fits: false, names: ['DNS:other.example'] }, /for DNS:other.example, and not for/],
      [{ not_after: at(-0.5), trusted_by: 'none', why: 'CERT_HAS_EXPIRED' }, /expired at/],
      [{ not_before: at(2) }, /good only from/],
      [{ trusted_by: 'none', why: 'SELF_SIGNED_CERT_IN_CHAIN' }, /neither browsers nor .*SELF_SIGNED/],
      [{ trusted_by: 'none', why: 'CERT_HAS_EXPIRED' }, /not by that of/],
    ];
    for (const [certificate, words] of bad) {
      const body = await shows(certificate);
      assert.equal(body.verdict, 'unreached');
      assert.deepEqual([problems(body)[0]?.finding, problems(body)[0]?.gateway], ['certificate', a]);
      assert.match(problems(body)[0]?.summary ?? '', words);
    }
    await scene.stop();
  });

  it('says what cannot be proven of connections that gateways do not look into', async () => {
    const tcp = await open({ kind: 'tcp', port: 1883, service: 'mqtt' });
    tcp.scene.sees([A, FOREIGN], () => ({ outcome: 'connected' }));
    const body = await tcp.checked();
    assert.equal(body.verdict, 'unproven');
    assert.deepEqual(tcp.scene.eye.probes.at(-1)?.ingress_check?.checks, [{ protocol: 'tcp', port: 1883 }]);
    assert.ok(
      foundIn(body).some(
        ([level, kind, address]) => level === 'notice' && kind === 'foreign_address' && address === FOREIGN,
      ),
    );
    assert.equal(tcp.scene.shown.size, 0, 'there is no place to show a proof');
    const udp = await open({ kind: 'udp', port: 27_015, service: 'game' });
    udp.scene.sees([A], () => ({}));
    const silent = await udp.checked();
    assert.deepEqual([silent.verdict, foundIn(silent)], ['unproven', [['notice', 'udp', null, null]]]);
    await tcp.scene.stop();
    await udp.scene.stop();
  });

  it('tells a gateway that cannot prove itself from another server', async () => {
    const { scene, a, checked } = await open();
    scene.gateways[0].answers = () => ({ error: 'this gateway does not serve the ingress' });
    scene.sees([A], ({ address }) => (address === A ? { outcome: 'answered', status: 404 } : {}));
    const body = await checked();
    assert.equal(body.verdict, 'unproven');
    const [about] = body.findings.filter(({ finding }) => finding === 'no_proof');
    assert.deepEqual([about?.level, about?.gateway], ['notice', a]);
    assert.match(about?.summary ?? '', /does not serve the ingress/);
    await scene.stop();
  });

  it('is left to a node that is no gateway, inside the scope of the caller', async () => {
    const { scene, a, byOwner, checked } = await open();
    scene.sees([A, B], byOwner);
    const refused = async (body: object) => {
      const got = await scene.check(body);
      return [got.status, got.body.code, got.body.detail] as const;
    };
    assert.deepEqual((await refused({ node: a })).slice(0, 2), [409, 'ingress_not_checked']);
    assert.match((await refused({ node: a }))[2], /is a gateway of the ingress/);
    const other = await OutsideScene.open(mesh, PLAIN);
    assert.deepEqual((await refused({ node: other.names[2] })).slice(0, 2), [404, 'not_found']);
    assert.deepEqual((await other.check({}, scene.token)).body.code, 'not_found', 'nor may it know of the ingress');
    const near = await TestNode.enroll(mesh, { name: 'a-near-one', token: scene.token, endpoints: [`${A}:4000`] });
    const behind = await new ProbedNode(near, scene.eye.answers).start(['ingress_check']);
    assert.equal((await checked()).name, scene.names[2], 'one behind the same address as a gateway comes last');
    assert.equal((await checked({ node: 'a-near-one' })).name, 'a-near-one');
    await behind.stop();
    await scene.eye.stop();
    await scene.eye.start(['look']);
    await near.beat({ report: { abilities: { sections: [], engines: {}, probes: [] } } });
    assert.match((await refused({}))[2], /No node in your scope can: .*too old/);
    await other.stop();
    await scene.stop();
  });

  it('is over when the node does not answer, and says why it could not', async () => {
    const { scene } = await open();
    scene.eye.answers = () => ({ error: 'this node does not try or watch flows (MESH_PROBES=off)' });
    const said = await scene.check();
    assert.deepEqual([said.status, said.body.code], [409, 'ingress_not_checked']);
    assert.match(said.body.detail, /MESH_PROBES=off/);
    scene.eye.answers = () => undefined;
    assert.match((await scene.check()).body.detail, /did not answer within 11 seconds/);
    await scene.stop();
  });

  it('takes the permission, an owner of the host name, and patience', async () => {
    const { scene, byOwner } = await open();
    scene.sees([A, B], byOwner);
    const viewer = await mesh.token({ role: 'viewer', scope: scene.ingress.scope });
    assert.deepEqual((await scene.check({}, viewer.secret)).status, 403);
    const path = `/v1/ingress/${scene.ingress.id}/check`;
    mesh.clock.advance(60);
    const codes: number[] = [];
    for (let count = 0; count < 6; count++)
      codes.push((await mesh.ask('POST', path, { body: {}, token: scene.token })).status);
    assert.deepEqual(codes, [200, 200, 200, 200, 200, 429]);
    assert.equal((await mesh.ask('POST', path, { body: {} })).status, 429, 'nor by another token');
    await mesh.ask('PUT', '/v1/acls', { body: { groups: {}, grants: [] } });
    const unowned = await scene.check();
    assert.deepEqual([unowned.status, unowned.body.code], [403, 'not_owner']);
    await scene.stop();
  });
});
