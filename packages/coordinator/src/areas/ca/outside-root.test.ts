/** The key of the root outside: exported, dropped, and intermediates that are signed with it elsewhere. */
import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import {
  type AnswerOf,
  type AuditEntry,
  type Authority,
  type CertificateWithChain,
  dropProofText,
  type Operations,
  type Overview,
  type Problem,
  type Rotation,
} from '@meshwork/contract';
import { openRootFile, signIntermediate } from '@meshwork/pki/offline';
import { openssl, requestOf, verifyChain } from '@meshwork/pki/testing';
import { TestCoordinator } from '../../../test/harness.ts';
import { TestNode } from '../../../test/test-node.ts';

const PASSPHRASE = 'correct horse battery staple é';
const DAY_S = 24 * 3600;
type Exported = AnswerOf<Operations['ca.export_root']>;
type Requested = AnswerOf<Operations['ca.request_intermediate']>;

describe('the key of the root', { timeout: 300_000 }, () => {
  let mesh: TestCoordinator;
  beforeEach(async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    mesh.owner = (await mesh.token({ role: 'owner', days: 300 })).secret;
  });
  afterEach(() => mesh.close());

  const show = async () => (await mesh.ask<AnswerOf<Operations['ca.show']>>('GET', '/v1/ca')).body;
  const rootNow = async () => (await show()).authorities.find(({ role }) => role === 'root') ?? assert.fail();
  const signing = async () =>
    (await show()).authorities.find(({ role, state }) => role === 'intermediate' && state === 'active') ??
    assert.fail();
  const exported = () =>
    mesh.ask<Exported & Problem>('POST', '/v1/ca/root/export', { body: { passphrase: PASSPHRASE } });
  const drop = (proof: string) => mesh.ask<Authority & Problem>('POST', '/v1/ca/root/drop', { body: { proof } });
  const fileOf = ({ key, certificate }: Exported) => key + certificate;
  const proofWith = (pem: string, { id, key_exported_at }: Pick<Authority, 'id' | 'key_exported_at'>) => {
    const key = createPrivateKey({ key: pem, passphrase: PASSPHRASE });
    return sign('sha256', Buffer.from(dropProofText({ id, key_exported_at: key_exported_at ?? '' })), key).toString(
      'base64',
    );
  };
  const text = async (path: string) => (await mesh.ask('GET', path, { token: null })).text;
  const verify = async (chain: string) =>
    verifyChain({
      roots: await text('/v1/ca/bundle'),
      revocation_lists: await text('/v1/ca/crl'),
      chain,
      at_ms: mesh.clock.now(),
    });

  /** Exports and drops it; answers with the file that the operator has. */
  async function outside(): Promise<string> {
    const { body } = await exported();
    const root = await rootNow();
    const dropped = await drop(proofWith(body.key, root));
    assert.equal(dropped.status, 200, dropped.text);
    return fileOf(body);
  }

  const requested = () => mesh.ask<Requested>('POST', '/v1/ca/intermediate/request');
  const take = (body: object) => mesh.ask<Rotation & Problem>('POST', '/v1/ca/intermediate', { body });
  async function signed(file: string, request: string, days = 90, now_ms = mesh.clock.now()) {
    const wanted = { request, days, now_ms };
    const { certificate, revocation_list } = await signIntermediate(openRootFile(file, PASSPHRASE), wanted);
    return { certificate, revocation_list };
  }
  const switchedTo = (name: string) => mesh.until(async () => (await signing()).name === name);

  it('is exported as OpenSSL opens it, and stays until it was proven that the export opens', async () => {
    const { status, body } = await exported();
    assert.equal(status, 200);
    const files = { 'key.pem': fileOf(body), 'cert.pem': body.certificate, pass: PASSPHRASE };
    const opened = await openssl(['pkey', '-in', 'key.pem', '-passin', 'file:pass', '-pubout'], files);
    assert.equal(opened, await openssl(['x509', '-in', 'cert.pem', '-noout', '-pubkey'], files));
    await assert.rejects(openssl(['pkey', '-in', 'key.pem', '-passin', 'pass:wrong passphrase'], files));
    const shown = await openssl(['asn1parse', '-in', 'key.pem'], files);
    assert.match(shown, /PBES2.*PBKDF2.*0927C0.*hmacWithSHA256.*aes-256-cbc/s); // 600,000 rounds
    const root = await rootNow();
    assert.deepEqual([root.key, root.key_exported_at], ['kept', body.exported_at]);
    const rotated = await mesh.ask<Rotation>('POST', '/v1/ca/rotate', { body: {} });
    assert.equal(rotated.status, 200);
  });

  it('is dropped only with a proof of the exported key, of that export', async () => {
    const early = await drop('AAAA');
    assert.deepEqual([early.status, early.body.code], [422, 'root_key_unproven']);
    assert.match(early.body.detail ?? '', /was not exported/);
    const first = await exported();
    const root = await rootNow();
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const strange = stranger.export({ type: 'pkcs8', format: 'pem' }) as string;
    for (const proof of ['AAAA', '', '💩', proofWith(strange, root)]) {
      const { status, body } = await drop(proof);
      assert.ok(status === 422 && ['root_key_unproven', 'invalid'].includes(body.code), proof);
    }
    const of_first = proofWith(first.body.key, root);
    mesh.clock.advance(5);
    await exported();
    assert.equal((await drop(of_first)).body.code, 'root_key_unproven', 'a proof is good for one export');
    assert.equal((await rootNow()).key, 'kept');
    const good = proofWith(first.body.key, await rootNow());
    const [one, other] = await Promise.all([drop(good), drop(good)]);
    assert.deepEqual([one.status, other.status].sort(), [200, 409]);
    assert.equal((await exported()).body.code, 'root_key_outside');
  });

  it('is for owners, and its passphrase is in no audit record and not in the store', async () => {
    const operator = (await mesh.token({ role: 'operator' })).secret;
    const body = { passphrase: PASSPHRASE };
    const refused = await mesh.ask('POST', '/v1/ca/root/export', { body, token: operator });
    assert.equal(refused.body.code, 'permission_denied');
    for (const passphrase of ['short', 'x'.repeat(1025)]) {
      assert.equal((await mesh.ask('POST', '/v1/ca/root/export', { body: { passphrase } })).status, 422);
    }
    const headers = { 'idempotency-key': 'the-same-key' };
    const answers = [];
    for (const _ of [1, 2]) answers.push(await mesh.ask<Exported>('POST', '/v1/ca/root/export', { body, headers }));
    assert.notEqual(answers[0]?.body.key, answers[1]?.body.key, 'nothing is kept of the answer');
    const trail = await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=ca.export_root');
    assert.equal(trail.body.items.filter(({ outcome }) => outcome === 'done').length, 2);
    assert.ok(!JSON.stringify(trail.body).includes('horse'));
    await mesh.down();
    for (const file of ['mesh.db', 'mesh.db-wal']) {
      const bytes = await readFile(join(mesh.folder, file)).catch(() => Buffer.alloc(0));
      assert.ok(!bytes.includes(PASSPHRASE), file);
      assert.ok(!bytes.includes('ENCRYPTED PRIVATE KEY'), file);
    }
    await mesh.up();
  });

  it('is shown to be outside, with a list that is good for longer than the intermediate, which is not replaced by itself', async () => {
    await outside();
    const [root, intermediate] = [await rootNow(), await signing()];
    assert.equal(root.key, 'outside');
    const until = Date.parse(root.revocation_list?.next_at ?? '');
    assert.equal(until, Date.parse(intermediate.not_after) + 7 * DAY_S * 1000);
    const refused = await mesh.ask('POST', '/v1/ca/rotate', { body: {} });
    assert.equal(refused.body.code, 'root_key_outside');
    assert.match(refused.body.detail ?? '', /mesh ca request-intermediate/);
    const attention = async () =>
      (await mesh.ask<Overview>('GET', '/v1/overview')).body.attention.filter(
        ({ kind }) => kind === 'authority_expiring',
      );
    mesh.clock.advance(59 * DAY_S);
    assert.deepEqual(await attention(), []);
    mesh.clock.advance(2 * DAY_S);
    const [item] = await attention();
    assert.match(`${item?.title} ${item?.fix}`, /replaced by hand.*mesh ca request-intermediate/);
    await mesh.until(
      async () =>
        Date.parse((await signing()).revocation_list?.made_at ?? '') > Date.parse(root.state_since) + 60 * DAY_S * 1000,
    );
    assert.equal((await show()).rotation, null);
    assert.deepEqual((await rootNow()).revocation_list, root.revocation_list, 'no key, no other list');
    assert.equal((await mesh.ask('POST', '/v1/ca/rotate', { body: { what: 'root' } })).status, 200);
    await mesh.until(async () =>
      (await show()).authorities.some(
        ({ role, state, key }) => role === 'root' && state === 'active' && key === 'kept',
      ),
    );
  });

  it('signs an intermediate elsewhere, which is then published, proven and used', async () => {
    const file = await outside();
    await TestNode.enroll(mesh, { name: 'a' });
    const { body } = await requested();
    assert.deepEqual((await requested()).body, body, 'the same request until it is taken in');
    const made = await signed(file, body.request);
    const taken = await take({ certificate: made.certificate, revocation_list: made.revocation_list });
    assert.equal(taken.status, 200, taken.text);
    assert.equal((await take({ certificate: made.certificate })).status, 409);
    await switchedTo(body.name);
    const request = await requestOf({ extensions: ['subjectAltName=DNS:a.mesh'] });
    const issued = await mesh.ask<CertificateWithChain>('POST', '/v1/ca/certificates', { body: { request } });
    await verify(issued.body.chain);
    mesh.clock.advance(80 * DAY_S);
    await mesh.until(
      async () => Date.parse((await signing()).revocation_list?.made_at ?? '') > mesh.clock.now() - DAY_S * 1000,
    );
    const later = await mesh.ask<CertificateWithChain>('POST', '/v1/ca/certificates', { body: { request } });
    await verify(later.body.chain);
    assert.notEqual((await requested()).body.request, body.request);
  });

  it('signs with OpenSSL as the documentation says', async () => {
    const file = await outside();
    const { body } = await requested();
    const files = { 'root-key.pem': file, pass: PASSPHRASE, 'intermediate.csr': body.request, 'ids.cnf': IDS };
    const key = ['-CA', 'root-key.pem', '-CAkey', 'root-key.pem', '-passin', 'file:pass'];
    const extensions = ['-copy_extensions', 'copyall', '-extfile', 'ids.cnf'];
    const certificate = await openssl(
      ['x509', '-req', '-in', 'intermediate.csr', ...key, ...extensions, '-days', '60'],
      files,
    );
    const taken = await take({ certificate });
    assert.equal(taken.status, 200, taken.text);
    await switchedTo(body.name);
  });

  it('refuses an intermediate with everything that is wrong with it', async () => {
    assert.equal((await take({ certificate: 'x' })).body.code, 'not_found');
    const file = await outside();
    const { body } = await requested();
    const faultsOf = async (given: object): Promise<string> => {
      const got = await take(given);
      assert.deepEqual([got.status, got.body.code], [422, 'intermediate_refused'], got.text);
      return (got.body.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`).join('\n');
    };
    assert.match(await faultsOf({ certificate: 'nonsense' }), /is not PEM/);
    assert.match(
      await faultsOf({ certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }),
      /is not PEM/,
    );
    const other = await requestOf({ subject: '/CN=else' });
    const selfSigned = await openssl([
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      'k',
      '-subj',
      '/CN=evil',
      '-days',
      '3',
    ]);
    const faults = await faultsOf({ certificate: selfSigned, revocation_list: 'nonsense' });
    for (const fault of [
      /not signed by/,
      /another key/,
      /names "CN=evil"/,
      /pathlen:0/,
      /key usage/,
      /authority key identifier/,
      /too soon/,
      /name constraints/,
      /revocation_list .*is not PEM/,
    ]) {
      assert.match(faults, fault);
    }
    assert.match(await faultsOf({ certificate: (await signed(file, other)).certificate }), /another key/);
    const short = await signed(file, body.request, 3);
    assert.match(await faultsOf(short), /too soon/);
    const long = await signed(file, body.request, 300);
    assert.match(await faultsOf({ certificate: long.certificate }), /list of the root ends at .* give a new one/);
    assert.match(await faultsOf({ ...long, revocation_list: short.revocation_list }), /must be good for as long/);
    const wide = { 'root-key.pem': file, pass: PASSPHRASE, 'intermediate.csr': body.request, 'ids.cnf': WIDE };
    const opened = ['-CA', 'root-key.pem', '-CAkey', 'root-key.pem', '-passin', 'file:pass', '-extfile', 'ids.cnf'];
    const certificate = await openssl(
      ['x509', '-req', '-in', 'intermediate.csr', ...opened, '-days', '60', '-sha1'],
      wide,
    );
    const wider = await faultsOf({ certificate });
    for (const fault of [
      /SHA-256/,
      /pathlen:0/,
      /domains mesh, example.org/,
      /0\.0\.0\.0\/0, which the root cannot/,
      /extended key usages/,
    ]) {
      assert.match(wider, fault);
    }
    const in_a_month_ms = mesh.clock.now() + 30 * DAY_S * 1000;
    const { revocation_list: ahead } = await signed(file, body.request, 300, in_a_month_ms);
    assert.match(await faultsOf({ ...long, revocation_list: ahead }), /in the future\.\n.*none is from the future/);
    assert.equal((await show()).rotation, null);
    assert.equal((await take({ certificate: long.certificate, revocation_list: long.revocation_list })).status, 200);
  });
});

const IDS = 'subjectKeyIdentifier = hash\nauthorityKeyIdentifier = keyid\n';
const WIDE = `${IDS}basicConstraints = critical, CA:TRUE, pathlen:3
keyUsage = critical, keyCertSign, cRLSign
extendedKeyUsage = serverAuth
nameConstraints = critical, permitted;DNS:mesh, permitted;DNS:example.org, permitted;IP:0.0.0.0/0.0.0.0, permitted;URI:x.mesh
`;
