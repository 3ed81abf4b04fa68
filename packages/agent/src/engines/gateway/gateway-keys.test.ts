import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { makeRequest } from '@meshwork/pki/request';
import { meshCa } from '../../../test/mesh-ca.ts';
import { newFolder } from '../../../test/new-folder.ts';
import { runCommand } from '../../host/run-command.ts';
import { GatewayKeys } from './gateway-keys.ts';

const DAY_MS = 86_400_000;
const FULL_DISK_CHILD = join(import.meta.dirname, '../../../test/full-gateway-disk-child.ts');
const run = promisify(execFile);

describe('the key of a gateway', () => {
  let ca: Awaited<ReturnType<typeof meshCa>>;
  let folder: Awaited<ReturnType<typeof newFolder>>;
  let now: number;
  let warnings: string[];
  let file: string;

  before(async () => {
    ca = await meshCa();
  });
  beforeEach(async () => {
    folder = await newFolder();
    file = join(folder.path, 'gateway-keys.json');
    now = Date.now();
    warnings = [];
  });
  afterEach(() => folder[Symbol.asyncDispose]());

  const openKeys = async (make = makeRequest) => {
    const warn = (problem: string) => warnings.push(problem);
    const keys = new GatewayKeys({ folder: folder.path, now: () => now, makeRequest: make, warn });
    await keys.open();
    return keys;
  };
  const ensured = async () => {
    const keys = await openKeys();
    await keys.ensure();
    return keys;
  };
  const requestOf = ({ request }: GatewayKeys): string => {
    if (request === undefined) throw new Error('there is no request');
    return request;
  };

  it('is made when it is first needed, for P-256, and is the owner’s alone', async () => {
    const keys = await openKeys();
    assert.equal(keys.request, undefined);
    assert.deepEqual(await readdir(folder.path), []);
    await keys.ensure();
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const place = join(folder.path, 'request.pem');
    await writeFile(place, requestOf(keys));
    const text = await runCommand('openssl', ['req', '-in', place, '-verify', '-noout', '-text']);
    assert.match(text, /NIST CURVE: P-256/);
    assert.deepEqual(warnings, []);
  });

  it('stays the same through restarts, and however often and at once it is needed', async () => {
    let made = 0;
    const counted = () => {
      made += 1;
      return makeRequest();
    };
    const keys = await openKeys(counted);
    await Promise.all([keys.ensure(), keys.ensure(), keys.ensure()]);
    assert.equal(made, 1);
    const chain = await ca.sign(requestOf(keys));
    const saved = await stat(file);
    const again = await openKeys(counted);
    await again.ensure([chain]);
    assert.equal(again.request, keys.request);
    assert.equal(again.pemFor(chain), keys.pemFor(chain));
    assert.equal(made, 1);
    assert.equal((await stat(file)).ino, saved.ino, 'it was not written again');
  });

  it('comes with the certificates that are for it, as one text that belongs together', async () => {
    const keys = await ensured();
    const chain = await ca.sign(requestOf(keys));
    const pem = keys.pemFor(`note\n${chain}`) ?? '';
    assert.match(pem, /^(-----BEGIN CERTIFICATE-----\n[^-]+-----END CERTIFICATE-----\n){2}-----BEGIN PRIVATE KEY-----/);
    assert.ok(pem.startsWith(chain));
    const place = join(folder.path, 'all.pem');
    await writeFile(place, pem);
    const [ofKey, ofLeaf] = await Promise.all([
      runCommand('openssl', ['pkey', '-in', place, '-pubout']),
      runCommand('openssl', ['x509', '-in', place, '-pubkey', '-noout']),
    ]);
    assert.equal(ofKey.trim(), ofLeaf.trim());
  });

  it('is for no certificate of another key, and for nothing that is no chain', async () => {
    const keys = await ensured();
    const chain = await ca.sign(requestOf(keys));
    const other = await meshCa('other');
    const [leaf = ''] = chain.split(/(?<=END CERTIFICATE-----\n)/);
    const foreign = await ca.sign((await makeRequest()).request);
    for (const text of [foreign, '', 'no PEM', leaf, leaf + other.intermediate, ca.intermediate + ca.root]) {
      assert.equal(keys.pemFor(text), undefined);
    }
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    assert.equal(keys.pemFor(broken), undefined);
    assert.equal((await openKeys()).pemFor(chain), keys.pemFor(chain));
  });

  it('is replaced after 90 days, and stays until no certificate is for it', async () => {
    const keys = await ensured();
    const first = requestOf(keys);
    const old_chain = await ca.sign(first);
    const old_pem = keys.pemFor(old_chain);
    now += 90 * DAY_MS - 1;
    await keys.ensure([old_chain]);
    assert.equal(keys.request, first);
    now += 1;
    await keys.ensure([]);
    assert.notEqual(keys.request, first);
    assert.equal(keys.pemFor(old_chain), old_pem, 'a certificate for it may be on its way');

    now += DAY_MS;
    await keys.ensure([old_chain]);
    await keys.ensure();
    const again = await openKeys();
    assert.equal(again.request, keys.request);
    assert.equal(again.pemFor(old_chain), old_pem, 'as long as an ingress has it');
    const chain = await ca.sign(requestOf(again));
    await again.ensure([chain, 'no chain']);
    assert.equal(again.pemFor(old_chain), undefined);
    assert.notEqual(again.pemFor(chain), undefined);
    assert.equal((await openKeys()).pemFor(old_chain), undefined);
    const secret = createPrivateKey(old_pem ?? '').export({ type: 'pkcs8', format: 'der' });
    const middle = secret.toString('base64').slice(60, 100);
    assert.ok(!(await readFile(file, 'utf8')).replaceAll('\\n', '').includes(middle));
  });

  it('is not replaced because the clock was set back, nor kept without bound because it jumps', async () => {
    const keys = await ensured();
    const first = keys.request;
    now -= 20_000 * DAY_MS;
    await keys.ensure();
    assert.equal(keys.request, first);
    for (let jump = 0; jump < 9; jump++) {
      now += 40_000 * DAY_MS;
      await keys.ensure();
    }
    assert.equal(JSON.parse(await readFile(file, 'utf8')).keys.length, 4);
  });

  it('outlives an agent that is killed while it writes, and a draft of it does not', async () => {
    const keys = await ensured();
    await writeFile(`${file}.0123456789abcdef.tmp`, (await readFile(file)).subarray(0, 99), { mode: 0o600 });
    const again = await ensured();
    assert.equal(again.request, keys.request);
    assert.deepEqual(await readdir(folder.path), ['gateway-keys.json']);
  });

  const useless: Readonly<Record<string, () => Promise<unknown>>> = {
    torn: async () => writeFile(file, (await readFile(file)).subarray(0, 200)),
    empty: () => writeFile(file, ''),
    'of another program': () => writeFile(file, '{"keys":{}}'),
    'of another version': async () => writeFile(file, (await readFile(file, 'utf8')).replace(':1,', ':2,')),
    'with a key that is none': async () => writeFile(file, (await readFile(file, 'utf8')).replace('MIG', 'xxx')),
    'open to others': () => chmod(file, 0o644),
    'broken in the middle of a key': async () =>
      writeFile(file, (await readFile(file, 'utf8')).replace(/MIG.{9}/, '$&"')),
  };
  for (const [what, spoil] of Object.entries(useless)) {
    it(`is made anew when its file is ${what}, which is set aside`, async () => {
      const before_that = await ensured();
      await spoil();
      const keys = await ensured();
      assert.notEqual(requestOf(keys), before_that.request);
      assert.equal(warnings.length, 1);
      assert.match(`${warnings}`, /gateway-keys\.json cannot be used, and is set aside as [^:]*\.bad: [^"]+$/);
      assert.doesNotMatch(`${warnings}`, /PRIVATE|[A-Za-z0-9+/]{30}/);
      assert.equal((await stat(`${file}.bad`)).mode & 0o777, 0o600);
      warnings = [];
      assert.equal((await ensured()).request, keys.request, 'once, and not with every start');
      assert.deepEqual(warnings, []);
    });
  }

  it('is waited for where it cannot be read now, and not replaced', async () => {
    const keys = await ensured();
    const text = await readFile(file);
    await rm(file);
    await symlink(file, file);
    const blind = await openKeys();
    assert.match(warnings.join(), /gateway-keys\.json cannot be read: ELOOP/);
    await assert.rejects(blind.ensure(), /gateway-keys\.json cannot be read: ELOOP/);
    assert.equal(blind.request, undefined);
    await rm(file);
    await writeFile(file, text, { mode: 0o600 });
    await blind.ensure();
    assert.equal(blind.request, keys.request);
    await rm(file);
    await mkdir(file, { mode: 0o700 });
    await assert.rejects((await openKeys()).ensure(), /gateway-keys\.json cannot be read: it is a folder/);
  });

  it('is left as it is when no other one can be made', async () => {
    const keys = await openKeys(() => Promise.reject(new Error('no certificate request could be made: no memory')));
    await assert.rejects(keys.ensure(), /no memory/);
    assert.equal(keys.request, undefined);
    const { request } = await ensured();
    await keys.remove();
    assert.notEqual(request, undefined);
  });

  it('is left as it is on a disk that is full, which is said', async () => {
    await using disk = await newFolder();
    const args = ['--mount', '--propagation', 'private', process.execPath, FULL_DISK_CHILD, disk.path];
    const { stdout } = await run('unshare', args);
    assert.deepEqual(stdout.trim().split('\n'), [
      'gateway-keys.json cannot be written: the disk is full. What was there is unchanged.',
      'the same key as before, also after a restart',
      'gateway-keys.json,theirs',
      'a new one, once there is room',
    ]);
  });

  it('is removed with everything that agents made of it, and can be made again', async () => {
    const keys = await ensured();
    const { request } = keys;
    await writeFile(`${file}.0123.tmp`, 'half', { mode: 0o600 });
    await writeFile(`${file}.bad`, 'bad', { mode: 0o600 });
    await keys.remove();
    assert.deepEqual(await readdir(folder.path), []);
    assert.equal(keys.request, undefined);
    await keys.ensure();
    assert.notEqual(keys.request, request);
    const gone = new GatewayKeys({
      folder: join(folder.path, 'none'),
      now: () => now,
      makeRequest,
      warn: assert.fail,
    });
    await gone.open();
    await gone.remove();
  });
});
