/** Every way that an attacker could try to act as a node. */
import assert from 'node:assert/strict';
import { createHmac, createPrivateKey, createSecretKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { SignJWT } from 'jose';
import { TestCoordinator } from '../../../test/harness.ts';
import { newKeys, type ProofClaims, TestNode } from '../../../test/test-node.ts';

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the session of a node', () => {
  let mesh: TestCoordinator;
  let node: TestNode;
  before(async () => {
    mesh = await TestCoordinator.start();
    node = await TestNode.enroll(mesh);
  });
  after(() => mesh.close());

  const refused = async (proof: string) => {
    const got = await node.prove(proof);
    return [got.status, got.body.code];
  };
  const now_s = () => Math.floor(mesh.clock.now() / 1000);
  const claims = () => ({ sub: node.id, aud: 'mesh-node-session', iat: now_s(), exp: now_s() + 60, jti: randomUUID() });

  it('is given for a proof signed with the identity key, for an hour', async () => {
    const asked_ms = mesh.clock.now();
    const got = await node.prove();
    assert.equal(got.status, 201, got.text);
    assert.match(got.body.bearer, /^meshnode_/);
    assert.equal(got.body.seen_as, '127.0.0.1');
    const given_ms = Date.parse(got.body.expires) - 3_600_000; // to the second
    assert.ok(given_ms > asked_ms - 1000 && given_ms <= mesh.clock.now(), got.body.expires);
  });

  it('is refused to a forged proof, signed with another key', async () => {
    assert.deepEqual(await refused(await node.proof({ key: newKeys().identity })), [401, 'proof_invalid']);
  });

  it('is refused to a proof of another node, signed with the own key', async () => {
    const other = await TestNode.enroll(mesh);
    assert.deepEqual(await refused(await node.proof({ sub: other.id })), [401, 'proof_invalid']);
  });

  it('is refused to a replayed proof, also after a restart of the coordinator', async () => {
    const proof = await node.proof();
    assert.equal((await node.prove(proof)).status, 201);
    assert.deepEqual(await refused(proof), [401, 'proof_used']);
    await mesh.down();
    await mesh.up();
    assert.deepEqual(await refused(proof), [401, 'proof_used']);
  });

  it('is given once, when the same proof comes many times at once', async () => {
    const proof = await node.proof();
    const codes = await Promise.all(Array.from({ length: 10 }, async () => (await node.prove(proof)).status));
    assert.deepEqual(codes.sort(), [201, ...new Array(9).fill(401)]);
  });

  it('is refused to an expired proof, and to one from the future', async () => {
    const old = await node.proof({ iat: now_s() - 600, exp: now_s() - 540 });
    assert.deepEqual(await refused(old), [401, 'clock_skewed']);
    const early = await node.proof({ iat: now_s() + 600, exp: now_s() + 660 });
    assert.deepEqual(await refused(early), [401, 'clock_skewed']);
  });

  it('is refused to a replayed proof at the very end of its time, also when that passes during the request', async () => {
    const proof = await node.proof({ exp: now_s() + 60 });
    assert.equal((await node.prove(proof)).status, 201);
    const { exp } = JSON.parse(Buffer.from(proof.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
    const last_ms = (exp + 60) * 1000;
    const now = mesh.clock.now.bind(mesh.clock);
    try {
      mesh.clock.now = () => last_ms;
      assert.deepEqual(await refused(proof), [401, 'proof_used']);
      let looks = 0;
      mesh.clock.now = () => last_ms + looks++;
      assert.equal((await refused(proof))[0], 401);
    } finally {
      mesh.clock.now = now;
    }
  });

  it('is refused to a proof that would be good for too long, or has no end', async () => {
    assert.deepEqual(await refused(await node.proof({ exp: now_s() + 3600 })), [401, 'proof_invalid']);
    assert.deepEqual(await refused(await node.proof({ exp: now_s() - 1 })), [401, 'proof_invalid']);
    const { exp: _, ...endless } = claims();
    assert.deepEqual(await refused(`${encode({ alg: 'EdDSA' })}.${encode(endless)}.AAAA`), [401, 'proof_invalid']);
  });

  it('is refused to a proof meant for another audience, or without a jti', async () => {
    assert.deepEqual(await refused(await node.proof({ aud: 'elsewhere' })), [401, 'proof_invalid']);
    assert.deepEqual(await refused(await node.proof({ jti: '' })), [401, 'proof_invalid']);
  });

  it('has the id of the mesh, and binds a node to it that has used it once', async () => {
    const newer = await TestNode.enroll(mesh); // which proves itself as version 0.1.0 does
    const { audience } = newer.enrolled.enrollment;
    assert.match(audience, /^mesh_[0-9a-f]{26}$/);
    const first = await newer.prove();
    assert.deepEqual([first.status, first.body.audience], [201, audience]);
    assert.equal((await newer.prove(await newer.proof({ aud: audience }))).status, 201);
    const code = async (claims: ProofClaims) => (await newer.prove(await newer.proof(claims))).body.code;
    assert.equal(await code({}), 'proof_invalid', 'the old audience, after the new one was used');
    assert.equal(await code({ aud: `mesh_${'0'.repeat(26)}` }), 'proof_invalid', 'of another mesh');
    await mesh.down();
    await mesh.up();
    assert.equal(await code({}), 'proof_invalid', 'also after a restart');
    assert.equal((await newer.prove(await newer.proof({ aud: audience }))).status, 201);
    assert.equal((await node.prove()).status, 201, 'one that never used it goes on as before');
  });

  it('is refused to a proof with `crit`, or with header parameters and claims that mean nothing here', async () => {
    const signed = (header: object, more: object = {}) =>
      new SignJWT({ ...claims(), ...more }).setProtectedHeader({ alg: 'EdDSA', ...header }).sign(node.keys.identity);
    assert.equal((await node.prove(await signed({ typ: 'JWT' }))).status, 201);
    for (const header of [{ kid: 'mine' }, { jku: 'https://example.net/' }, { cty: 'JWT' }]) {
      assert.deepEqual(await refused(await signed(header)), [401, 'proof_invalid'], JSON.stringify(header));
    }
    for (const more of [{ nbf: 1 }, { iss: 'me' }, { admin: true }]) {
      assert.deepEqual(await refused(await signed({}, more)), [401, 'proof_invalid'], JSON.stringify(more));
    }
    const critical = { alg: 'EdDSA', crit: ['b64'], b64: true };
    const text = `${encode(critical)}.${encode(claims())}`;
    const signature = sign(null, Buffer.from(text), node.keys.identity).toString('base64url');
    assert.deepEqual(await refused(`${text}.${signature}`), [401, 'proof_invalid']);
  });

  it('is refused to a downgraded proof: none, HMAC with the public key, RSA, an embedded key', async () => {
    const none = `${encode({ alg: 'none' })}.${encode(claims())}.`;
    assert.deepEqual(await refused(none), [401, 'proof_invalid']);
    const said = `${encode({ alg: 'HS256' })}.${encode(claims())}`;
    const secret = createSecretKey(Buffer.from(node.keys.identity_key, 'base64'));
    const mac = createHmac('sha256', secret).update(said).digest('base64url');
    assert.deepEqual(await refused(`${said}.${mac}`), [401, 'proof_invalid']);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    assert.deepEqual(await refused(await node.proof({ alg: 'RS256', key: rsa })), [401, 'proof_invalid']);
    const attacker = generateKeyPairSync('ed25519');
    const jwk = attacker.publicKey.export({ format: 'jwk' });
    const { SignJWT } = await import('jose');
    const embedded = await new SignJWT(claims())
      .setProtectedHeader({ alg: 'EdDSA', jwk })
      .sign(createPrivateKey(attacker.privateKey.export({ format: 'pem', type: 'pkcs8' })));
    assert.deepEqual(await refused(embedded), [401, 'proof_invalid']);
  });

  it('is refused to what is no JWT at all', async () => {
    for (const text of ['', 'x', 'a.b.c', '.'.repeat(2000), `${encode({ alg: 'EdDSA' })}.${encode({ sub: 5 })}.AA`]) {
      assert.deepEqual(await refused(text), [401, 'proof_invalid'], text.slice(0, 20));
    }
  });

  it('ends with its hour', async () => {
    const late = await TestNode.enroll(mesh);
    assert.equal((await late.beat()).status, 200);
    mesh.clock.advance(3601);
    assert.deepEqual((await late.beat()).body.code, 'session_expired');
    await late.prove();
    assert.equal((await late.beat()).status, 200);
  });

  it('cannot be made longer, moved to another node or revived by editing it', async () => {
    const other = await TestNode.enroll(mesh);
    await node.prove();
    const [said = '', epoch = '', expires = '', mac = ''] = node.bearer.split('.');
    const edited = [
      `${said}.${epoch}.zzzzzz.${mac}`,
      `${said}.9.${expires}.${mac}`,
      `meshnode_${other.id.slice(5)}.${epoch}.${expires}.${mac}`,
      `${said}.${epoch}.${expires}.${'A'.repeat(43)}`,
      node.bearer.slice(0, -1),
    ];
    for (const token of edited) assert.equal((await node.beat({}, { token })).body.code, 'credentials_invalid', token);
  });

  it('is no token, and a token is no session', async () => {
    await node.prove();
    assert.equal((await mesh.ask('GET', '/v1/nodes', { token: node.bearer })).body.code, 'credentials_invalid');
    assert.equal((await node.beat({}, { token: mesh.owner })).body.code, 'credentials_invalid');
  });

  it('is void at once when the node is removed, also for a heartbeat that waits', async () => {
    const gone = await TestNode.enroll(mesh);
    await gone.settle();
    await gone.beat();
    const waiting = gone.beat({ wait: 15 });
    await mesh.ask('DELETE', `/v1/nodes/${gone.id}`);
    assert.equal((await waiting).body.code, 'session_void');
    assert.equal((await gone.beat()).body.code, 'session_void');
    assert.equal((await gone.prove()).body.code, 'proof_invalid');
  });

  it('is void at once when the node is cut off, which may prove itself anew and is sent nothing', async () => {
    const tags = ['team:quarantine'];
    const peer = await TestNode.enroll(mesh, { tags });
    const cut = await TestNode.enroll(mesh, { tags });
    await cut.settle();
    assert.deepEqual([...cut.peers.keys()], [peer.id]);
    await mesh.ask('POST', `/v1/nodes/${cut.id}/quarantine`, { body: { reason: 'odd' } });
    assert.equal((await cut.beat()).body.code, 'session_void');
    assert.equal((await cut.prove()).status, 201);
    await cut.beat();
    assert.deepEqual([...cut.peers.keys()], []);
    assert.equal((cut.held.self as { state: string }).state, 'quarantined');
  });

  it('is untouched by the end of the token that enrolled the node', async () => {
    const token = await mesh.token({ role: 'enroller' });
    const enrolled = await TestNode.enroll(mesh, { token: token.secret });
    await mesh.ask('DELETE', `/v1/auth/tokens/${token.id}`);
    assert.equal((await enrolled.beat()).status, 200);
    mesh.clock.advance(3600 * 24 * 40); // every other token has expired too
    assert.equal((await enrolled.prove()).status, 201);
    assert.equal((await enrolled.beat()).status, 200);
  });
});
