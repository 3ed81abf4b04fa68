import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, chown, readlink, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type CertifiedNode, certifiedNode, requestOf } from '../../../test/certified-node.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';

const run = promisify(execFile);

describe('a certificate with a group', () => {
  let ca: Awaited<ReturnType<typeof meshCa>>;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let node: CertifiedNode;
  const at = (name: string) => join(node.tls, name);
  const state = (name: string) => join(folder.path, name);
  const contents = async () => Promise.all(['key.pem', 'cert.pem', 'ca.pem', 'crl.pem'].map((name) => node.file(name)));

  before(async () => {
    ca = await meshCa();
  });
  beforeEach(async () => {
    folder = await newFolder();
    node = await certifiedNode(folder.path);
    const trust = { roots: [ca.root], revocation_lists: [await ca.revocationList()] };
    await node.tell({ trust, certificate: { chain: null, request: true } });
    await node.tell({ certificate: { chain: await ca.sign(requestOf(node)), request: false } });
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const GROUP = 4242;
  const withGroup = async () => {
    await writeFile(state('groups'), `root:x:0:\nweb-keys:x:${GROUP}:www-data\n`);
    node = await certifiedNode(folder.path, { group: 'web-keys', groups: state('groups') }, node.saved());
  };
  /** As a program of another user. */
  const read = (name: string, gid: number) => run('cat', [at(name)], { uid: 65_534, gid });
  const denied = ({ stderr }: { readonly stderr: string }) => /Permission denied/.test(stderr);

  it('can be read by it and by no other, and only what is meant for it', async () => {
    await assert.rejects(read('current/key.pem', GROUP), denied);
    const generation = await readlink(at('current'));
    await withGroup();
    assert.equal(await readlink(at('current')), generation, 'what services read is the same');
    for (const name of ['key.pem', 'cert.pem', 'ca.pem', 'crl.pem']) {
      assert.equal((await read(`current/${name}`, GROUP)).stdout, await node.file(name));
      await assert.rejects(read(`current/${name}`, 65_534), denied);
    }
    await assert.rejects(read('../run/certificate-keys.json', GROUP), denied);
    await assert.rejects(run('ls', [folder.path], { uid: 65_534, gid: GROUP }), denied);
    await node.tell({ certificate: { chain: await node.file('cert.pem'), request: true } });
    await node.tell({ certificate: { chain: await ca.sign(requestOf(node)), request: false } });
    assert.equal((await read('current/key.pem', GROUP)).stdout, await node.file('key.pem'));
    const modes = ['..', '.', 'current', 'current/key.pem', 'current/cert.pem'].map(async (name) => {
      const { mode, gid } = await stat(at(name));
      return `${(mode & 0o7777).toString(8)} ${gid}`;
    });
    assert.deepEqual(await Promise.all(modes), ['710 4242', '750 4242', '750 4242', '640 4242', '644 4242']);
  });

  it('is put back when it is given to another group, or its own can no longer get there', async () => {
    await withGroup();
    await chown(at('current/key.pem'), 0, 0);
    assert.match((await node.mend()).join(), /^tls\/g-\d+\/key\.pem belongs to group 0 instead of 4242$/);
    await chmod(folder.path, 0o700);
    assert.match((await node.mend()).join(), /has mode 700 instead of 710$/);
    assert.equal((await read('current/key.pem', GROUP)).stdout, await node.file('key.pem'));
  });

  it('is root’s alone again when no group is set any more', async () => {
    await withGroup();
    node = await certifiedNode(folder.path, {}, node.saved());
    await assert.rejects(read('current/key.pem', GROUP), denied);
    assert.equal((await stat(folder.path)).mode & 0o777, 0o700);
    assert.deepEqual(await node.mend(), []);
  });

  it('stays as it is when there is no such group, with an error that says so, until there is', async () => {
    const before = await contents();
    await writeFile(state('groups'), 'root:x:0:\n');
    const saved = node.saved();
    node = await certifiedNode(folder.path, { group: 'web-keys', groups: state('groups') }, saved);
    assert.match(node.warnings.join(), /MESH_TLS_GROUP is web-keys/);
    assert.match(node.applied.certificate?.error ?? '', /MESH_TLS_GROUP is web-keys, and .*groups has no such group/);
    assert.deepEqual(await contents(), before);
    await writeFile(state('groups'), 'root:x:0:\nweb-keys:x:4242:\n');
    await node.again();
    assert.equal(node.applied.certificate?.error, undefined);
    assert.equal((await read('current/key.pem', GROUP)).stdout, before[0]);
  });
});
