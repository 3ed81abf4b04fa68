/** The master key is turned over while the mesh works: sessions, kept answers and certificates stay good. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import type {
  AnswerOf,
  AuditEntry,
  CertificateWithChain,
  Operations,
  Problem,
  Readiness,
  TokenWithSecret,
} from '@meshwork/contract';
import { requestOf, verifyChain } from '@meshwork/pki/testing';
import { openStore } from '@meshwork/store';
import { startPostgresServer } from '@meshwork/store/testing';
import { ALL, TestCoordinator } from '../../../test/harness.ts';
import { RootCeremony } from '../../../test/root-ceremony.ts';
import { TestNode } from '../../../test/test-node.ts';

type Rewrapped = AnswerOf<Operations['ca.rewrap']> & Problem;
type Shown = AnswerOf<Operations['ca.show']>;
const newKey = () => randomBytes(32).toString('base64url');

describe('turning the master key over', { timeout: 300_000 }, () => {
  let mesh: TestCoordinator;
  afterEach(() => mesh?.close());

  const fileOf = (of: TestCoordinator) => join(of.folder, 'master-key');
  const keysIn = async (of = mesh) => (await readFile(fileOf(of), 'utf8')).trim().split('\n');
  const write = (keys: readonly string[], of = mesh) => writeFile(fileOf(of), `${keys.join('\n')}\n`, { mode: 0o600 });
  const rewrap = (of = mesh) => of.ask<Rewrapped>('POST', '/v1/ca/rewrap');
  const trustDomain = async (of = mesh) =>
    (await of.ask<Shown>('GET', '/v1/ca')).body.authorities.map(({ constraints }) => constraints);
  const text = async (path: string, of = mesh) => (await of.ask('GET', path, { token: null })).text;

  /** Has a certificate signed, and checks it as strictly as OpenSSL can. */
  async function signs(of = mesh): Promise<void> {
    const request = await requestOf({ extensions: ['subjectAltName=DNS:a.mesh'] });
    const { status, body } = await of.ask<CertificateWithChain>('POST', '/v1/ca/certificates', { body: { request } });
    assert.equal(status, 201);
    const files = { roots: await text('/v1/ca/bundle', of), revocation_lists: await text('/v1/ca/crl', of) };
    await verifyChain({ ...files, chain: body.chain, at_ms: of.clock.now() });
  }

  async function installation(): Promise<Record<string, unknown>> {
    const journal = await openStore(`sqlite:${join(mesh.folder, 'mesh.db')}`);
    const found: string[] = [];
    await journal.load(
      (some) => void found.push(...some.flatMap((one) => (one.kind === 'installation' ? one.body : []))),
    );
    await journal.close();
    return JSON.parse(found[0] ?? 'null');
  }

  it('leaves sessions, kept answers, certificates and the id of the mesh as they are, and needs the old key no more', async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    const node = await TestNode.enroll(mesh, { name: 'a' });
    await node.beat();
    const body = { name: 'ci', role: 'viewer', scope: ALL, expires: mesh.inDays(1) };
    const create = (key: string) =>
      mesh.ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body, headers: { 'idempotency-key': key } });
    const made = await create('the-first');
    await mesh.ask('POST', '/v1/ca/intermediate/request');
    const before = await trustDomain();
    await mesh.down();
    const seed = await installation();
    assert.deepEqual(Object.keys(seed).sort(), ['created_at', 'master_key_check'], 'as every version has written it');
    await mesh.up();

    const [old = ''] = await keysIn();
    const first = newKey();
    await write([first, old]);
    const turned = await rewrap();
    assert.equal(turned.status, 200, turned.text);
    assert.equal(turned.body.sealed, 4, 'root, intermediate, request and what sessions are derived from');
    assert.deepEqual(turned.body.unneeded, [seed.master_key_check]);
    await node.beat();
    assert.equal((await create('the-first')).body.secret, made.body.secret);
    assert.equal((await create('the-second')).status, 201);
    await signs();

    await mesh.down();
    await write([old]);
    await assert.rejects(mesh.up(), new RegExp(`The store needs the master key ${turned.body.master_key}: restore`));
    await write([first]);
    await mesh.up();
    await node.beat();
    assert.equal((await create('the-first')).body.secret, made.body.secret);
    await signs();
    assert.deepEqual(await trustDomain(), before);
    const second = newKey();
    await write([second, first]);
    assert.equal((await rewrap()).body.sealed, 6, 'and what answers of the last day are derived from, twice');
    assert.equal((await create('the-first')).body.secret, made.body.secret);
    await node.beat();
    mesh.clock.advance(25 * 3600);
    await mesh.down();
    await mesh.up({ recover: true });
    await write([newKey(), second]);
    await rewrap();
    await mesh.down();
    const { data_keys, master_key_check } = await installation();
    assert.equal((data_keys as readonly unknown[]).length, 2, 'what nothing follows from any more is gone');
    assert.equal(master_key_check, seed.master_key_check);
    await mesh.up();
  });

  it('does nothing where the first key seals everything, and refuses a file that it cannot use', async () => {
    mesh = await TestCoordinator.startWithAuthorities();
    const [old = ''] = await keysIn();
    const trail = async () =>
      (await mesh.ask<{ items: AuditEntry[] }>('GET', '/v1/audit?action=ca.rewrap')).body.items.filter(
        ({ outcome }) => outcome === 'done',
      );
    const idle = await rewrap();
    assert.deepEqual([idle.body.sealed, idle.body.unneeded, await trail()], [0, [], []]);
    for (const [keys, says] of [
      [[newKey(), 'short'], /Line 2 .* is not a master key/],
      [[newKey()], /needs the master key/],
    ] as const) {
      await write(keys);
      const refused = await rewrap();
      assert.deepEqual([refused.status, refused.body.code], [409, 'master_key_refused'], refused.text);
      assert.match(refused.body.detail ?? '', says);
    }
    await write([newKey(), old]);
    await chmod(fileOf(mesh), 0o644);
    assert.match((await rewrap()).body.detail ?? '', /mode 644/);
    await chmod(fileOf(mesh), 0o600);
    await new RootCeremony(mesh).proof(); // what was sealed opens still
    const [one, other] = await Promise.all([rewrap(), rewrap()]);
    assert.deepEqual([one.body.sealed, other.body.sealed].sort(), [0, 3]);
    const [entry, ...more] = await trail();
    assert.deepEqual([entry?.target?.kind, more.length], ['installation', 0]);
    assert.match(entry?.detail ?? '', /sealed 3 secrets with the master key [0-9a-f]{16}/);
    assert.ok(!JSON.stringify(entry).includes('data_keys'));
  });

  it('reaches every coordinator on the store, and one whose file lacks the new key says so until it has it', async () => {
    await using server = { it: await startPostgresServer(), [Symbol.asyncDispose]: () => server.it.close() };
    const store = await server.it.newDatabase();
    mesh = await TestCoordinator.startWithAuthorities({ MESH_STORE: store });
    const folder = join(mesh.folder, 'second');
    await mkdir(folder, { mode: 0o700 });
    await copyFile(fileOf(mesh), join(folder, 'master-key'));
    const second = await TestCoordinator.start({ MESH_STORE: store, MESH_DATA_DIR: folder });
    try {
      second.owner = mesh.owner;
      const node = await TestNode.enroll(mesh, { name: 'a' });
      const [old = ''] = await keysIn();
      await write([newKey(), old]);
      assert.equal((await rewrap()).body.sealed, 3);
      const check = async () =>
        (await second.ask<Readiness>('GET', '/readyz', { token: null })).body.checks.find(
          ({ name }) => name === 'master_key',
        );
      await second.until(async () => (await check())?.ok === false);
      assert.match((await check())?.detail ?? '', /does not have [0-9a-f]{16}/);
      assert.equal((await second.ask('GET', '/v1/auth/whoami')).status, 200);
      await copyFile(fileOf(mesh), join(folder, 'master-key'));
      await second.until(async () => (await check())?.ok === true);
      await second.until(async () => (await second.ask('GET', `/v1/nodes/${node.id}`)).status === 200);
      await signs(second);
    } finally {
      await second.close();
    }
  });
});
