import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type CertifiedNode, certifiedNode, requestOf } from '../../../test/certified-node.ts';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { watchFile } from '../../host/file-watch.ts';

const FULL_DISK_CHILD = fileURLToPath(new URL('../../../test/full-tls-disk-child.ts', import.meta.url));
const run = promisify(execFile);

describe('what services read of a certificate', () => {
  let ca: Awaited<ReturnType<typeof meshCa>>;
  let crl: string;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let node: CertifiedNode;
  const at = (name: string) => join(node.tls, name);
  const state = (name: string) => join(folder.path, name);

  before(async () => {
    ca = await meshCa();
    crl = await ca.revocationList();
  });
  beforeEach(async () => {
    folder = await newFolder();
    node = await certifiedNode(folder.path);
    await certify();
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const certify = async () => {
    await node.tell({
      trust: { roots: [ca.root], revocation_lists: [crl] },
      certificate: { chain: null, request: true },
    });
    await renewed();
  };
  /** The answer to the request that is under way. */
  const renewed = async () => {
    const chain = await ca.sign(requestOf(node));
    await node.tell({ certificate: { chain, request: false } });
    assert.equal(node.applied.certificate?.error, undefined);
  };
  const renew = async () => {
    await node.tell({ certificate: { chain: await node.file('cert.pem'), request: true } });
    await renewed();
  };
  const contents = async () => Promise.all(['key.pem', 'cert.pem', 'ca.pem', 'crl.pem'].map((name) => node.file(name)));

  it('belongs together at every moment for a reader that follows the link, through 50 renewals', async () => {
    let renewing = true;
    const seen = new Set<string>();
    const reading = (async () => {
      while (renewing) {
        const generation = await realpath(at('current'));
        const [cert, key] = await Promise.all(
          ['cert.pem', 'key.pem'].map((name) => readFile(join(generation, name), 'utf8')),
        );
        const leaf = new X509Certificate(cert ?? '');
        assert.ok(leaf.checkPrivateKey(createPrivateKey(key ?? '')), generation);
        seen.add(leaf.serialNumber);
      }
    })();
    for (let count = 0; count < 50; count += 1) await renew();
    renewing = false;
    await reading;
    assert.ok(seen.size > 1, 'the reader was there meanwhile');
    assert.equal((await readdir(node.tls)).length, 4, 'the link, what it leads to, and the last two');
  });

  for (const [what, change, found] of [
    [
      'a file is changed',
      () => writeFile(at('current/cert.pem'), 'x'),
      /^tls\/g-\d+\/cert\.pem is not as it was written$/,
    ],
    ['a file is removed', () => rm(at('current/crl.pem')), /^tls\/g-\d+\/crl\.pem is not as it was written$/],
    ['a file is a link', () => linked(at('current/key.pem')), /^tls\/g-\d+\/key\.pem is not as it was written$/],
    ['a file is added', () => writeFile(at('current/more'), 'x'), /^tls\/g-\d+\/more is not the agent's$/],
    [
      'a file is opened',
      () => chmod(at('current/key.pem'), 0o644),
      /^tls\/g-\d+\/key\.pem has mode 644 instead of 600$/,
    ],
    [
      'a file is given away',
      () => chown(at('current/key.pem'), 65_534, 0),
      /^tls\/g-\d+\/key\.pem belongs to user 65534$/,
    ],
    ['the generation is opened', () => chmod(at('current'), 0o755), /^tls\/g-\d+ has mode 755 instead of 700$/],
    [
      'the generation is gone',
      async () => rm(await realpath(at('current')), { recursive: true }),
      /^tls\/current does not lead/,
    ],
    ['the folder is opened', () => chmod(at('.'), 0o711), /tls has mode 711 instead of 700$/],
    ['the folder is gone', () => rm(at('.'), { recursive: true }), /tls is gone$/],
    ['the link is gone', () => rm(at('current')), /^tls\/current does not lead to a generation of the agent$/],
    ['the link leads elsewhere', () => relinked('/etc'), /^tls\/current does not lead to a generation of the agent$/],
    ['the link is a folder', () => solid(), /^tls\/current does not lead to a generation of the agent$/],
  ] as const) {
    it(`is put back when ${what}`, async () => {
      const before = await contents();
      await change();
      const [first, ...others] = await node.mend();
      assert.match(first ?? '', found);
      assert.deepEqual(others, []);
      assert.deepEqual(await contents(), before);
      assert.deepEqual(await node.mend(), [], 'and stays as it is');
      assert.equal(node.applied.certificate?.error, undefined);
    });
  }
  const linked = async (file: string) => {
    await rename(file, state('aside'));
    await symlink(state('aside'), file);
  };
  const relinked = async (target: string) => {
    await rm(at('current'));
    await symlink(target, at('current'));
  };
  const solid = async () => {
    await cp(await realpath(at('current')), at('aside'), { recursive: true });
    await rm(at('current'));
    await rename(at('aside'), at('current'));
  };

  it('is compared at once after a change, because the link and what it leads to are watched', async () => {
    const ended = new AbortController();
    const { signal } = ended;
    const next = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      heard = resolve;
      return promise;
    };
    let heard: () => void = () => undefined;
    const failed = (error: unknown) => assert.fail(String(error));
    const [path = ''] = node.engine.shared_files;
    watchFile({ path, changed: () => heard(), failed, signal });
    try {
      let change = next();
      await writeFile(at('current/cert.pem'), 'x');
      await change;
      change = next();
      await node.mend(); // the agent itself: the link leads to another folder now
      await change;
      change = next();
      await rm(at('current/key.pem'));
      await change;
    } finally {
      ended.abort();
    }
  });

  it('has lost nothing after an agent was killed at any step of a renewal', async () => {
    await node.tell({ certificate: { chain: await node.file('cert.pem'), request: true } });
    const asked = node.saved();
    const old = await readlink(at('current'));
    const [, old_chain] = await contents();
    const chain = await ca.sign(requestOf(node));
    const keys_before = await readFile(state('run/certificate-keys.json'));
    await node.tell({ certificate: { chain, request: false } });
    const keys_after = await readFile(state('run/certificate-keys.json'));
    const after = await contents();
    const done = await readlink(at('current'));
    const draft = '.current-0123456789abcdef.tmp';
    const steps: Readonly<Record<string, () => Promise<unknown>>> = {
      'the keys are being written': async () => {
        await writeFile(state('run/certificate-keys.json'), keys_before);
        await writeFile(state('run/certificate-keys.json.0123.tmp'), keys_after.subarray(0, 99));
        await rm(at(done), { recursive: true });
      },
      'the keys are written': () => rm(at(done), { recursive: true }),
      'the generation is empty': async () => {
        await rm(at(done), { recursive: true });
        await mkdir(at(done), { mode: 0o700 });
      },
      'a file of it is half written': async () => {
        await rm(at(`${done}/ca.pem`));
        await writeFile(at(`${done}/key.pem`), 'half');
      },
      'the generation is whole': async () => undefined,
      'the new link is there': () => symlink(done, at(draft)),
    };
    await using whole = await newFolder();
    await cp(folder.path, whole.path, { recursive: true, verbatimSymlinks: true });
    for (const [step, leave] of Object.entries(steps)) {
      await rm(folder.path, { recursive: true });
      await cp(whole.path, folder.path, { recursive: true, verbatimSymlinks: true });
      await leave();
      await relinked(old);
      node = await certifiedNode(folder.path, {}, asked);
      assert.equal(node.applied.certificate?.error, undefined, step);
      assert.equal(await node.file('cert.pem'), old_chain, `${step}: the view is the one from before`);
      await node.tell({ certificate: { chain, request: false } });
      assert.equal(node.applied.certificate?.error, undefined, step);
      assert.deepEqual(await contents(), after, step);
      const left = (await readdir(node.tls)).filter((name) => !/^g-\d+$/.test(name));
      assert.deepEqual(left, ['current'], step);
      for (const name of await readdir(node.tls)) assert.equal((await readdir(at(name))).length >= 2, true, step);
      assert.deepEqual(await readdir(state('run')), ['certificate-keys.json'], step);
    }
  });

  it('is left alone by a restart when nothing changed', async () => {
    const generation = await readlink(at('current'));
    const before = await stat(at('current/key.pem'));
    node = await certifiedNode(folder.path, {}, node.saved());
    assert.equal(await readlink(at('current')), generation);
    assert.equal((await stat(at('current/key.pem'))).ctimeMs, before.ctimeMs);
  });

  it('is whole on a disk that is full or read-only: the old one stays, the error says why, and the new one comes later', async () => {
    await using disk = await newFolder();
    const args = ['--mount', '--propagation', 'private', process.execPath, FULL_DISK_CHILD, disk.path];
    const { stdout } = await run('unshare', args);
    assert.deepEqual(stdout.trim().split('\n'), [
      'tls cannot be written: the disk is full. What was there is unchanged.',
      'the old pair, which belongs together',
      'no leftovers',
      'the new pair, once there is room',
      'tls cannot be written: the file system is read-only. What was there is unchanged.',
      'the new pair, until it can be written',
      'the newest pair, once it can be written',
    ]);
  });
});
