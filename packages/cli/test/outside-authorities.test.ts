/** `mesh ingress authority` and `mesh ingress order`: names that people know, a key that is in no argument, and how far an order is. */
import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { json } from '@meshwork/client/testing';
import { type CertificateOrder, KNOWN_AUTHORITIES, OPERATIONS, type OutsideAuthority } from '@meshwork/contract';
import { exampleServer } from './example-server.ts';
import { mesh } from './run-mesh.ts';

const KEY = 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W';
const NEW = ['ingress', 'authority', 'create', 'company', '--agree-terms'];

async function ran(
  server: Awaited<ReturnType<typeof exampleServer>>,
  args: readonly string[],
  more: { readonly input?: string; readonly cwd?: string } = {},
) {
  const env = { MESH_URL: server.url, MESH_TOKEN: 'mesh_test-token' };
  const done = await mesh([...args], { env, ...more });
  return { ...done, sent: JSON.parse(server.seen.at(-1)?.body || '{}') as Record<string, unknown> };
}

describe('mesh ingress authority', { concurrency: 2 }, () => {
  it('takes one that is known by its name, with its staging directory unless that is said', async () => {
    await using server = await exampleServer();
    const { directory, staging_directory } = KNOWN_AUTHORITIES.letsencrypt;
    const known = ['--directory', 'letsencrypt', '--contact', 'ops@example.net'];
    const named = await ran(server, [...NEW, ...known]);
    assert.equal(named.code, 0, named.stderr);
    const body = { name: 'company', agree_terms: true, contacts: ['ops@example.net'], directory };
    assert.deepEqual(named.sent, { ...body, staging_directory });
    assert.match(named.stdout, /^account +not made yet$/m);
    assert.deepEqual((await ran(server, [...NEW, ...known, '--no-staging'])).sent, {
      ...body,
      staging_directory: null,
    });
    const other = 'https://ca.example.net/acme/directory';
    const own = await ran(server, [...NEW, '--directory', other, '--staging', 'letsencrypt-staging']);
    assert.deepEqual([own.sent.directory, own.sent.staging_directory], [other, staging_directory]);
    const unknown = await ran(server, [...NEW, '--directory', 'letsencrpyt']);
    assert.deepEqual([unknown.code, /one of letsencrypt, letsencrypt-staging/.test(unknown.stderr)], [2, true]);
  });

  it('needs your agreement to the terms', async () => {
    await using server = await exampleServer();
    const { code, stderr } = await ran(server, ['ingress', 'authority', 'create', 'a', '--directory', 'letsencrypt']);
    assert.deepEqual([code, server.seen.length], [2, 0], stderr);
    assert.match(stderr, /--agree-terms is missing/);
  });

  it('reads the key of an account from a file or standard input, and repeats no part of what may be one', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'meshwork-eab-'));
    const file = join(folder.path, 'eab.key');
    await writeFile(file, `${KEY}\n`);
    await using server = await exampleServer();
    const bound = [...NEW, '--directory', 'zerossl', '--eab-key-id', 'kid-1', '--eab-key'];
    for (const made of [
      await ran(server, [...bound, file]),
      await ran(server, [...bound, '-'], { input: `${KEY}\n` }),
    ]) {
      assert.equal(made.code, 0, made.stderr);
      assert.deepEqual([made.sent.eab_key_id, made.sent.eab_key], ['kid-1', KEY]);
      assert.ok(!made.stdout.includes(KEY));
    }
    const before = server.seen.length;
    const refused = await ran(server, [...bound, KEY]);
    assert.deepEqual([refused.code, server.seen.length], [2, before]);
    assert.match(refused.stderr, /--eab-key takes the name of a file/);
    assert.ok(!refused.stderr.includes(KEY.slice(0, 8)));
  });

  it('shows accounts, and what is wrong with them', async () => {
    const example = OPERATIONS['outside_authorities.show'].example.answer;
    const broken: OutsideAuthority = {
      ...example,
      account: { state: 'none', url: null, created_at: null, problem: 'No such host.' },
      paused_until: '2026-11-14T11:00:00Z',
    };
    await using server = await exampleServer({
      'outside_authorities.show': (response) => json(response, broken),
      'outside_authorities.list': (response) => json(response, { items: [broken], next_cursor: null }),
    });
    const { stdout } = await ran(server, ['ingress', 'authority', 'show', 'letsencrypt']);
    assert.match(stdout, /^account +not made yet$/m);
    assert.match(stdout, /^problem +No such host\.$/m);
    assert.match(stdout, /^staging account +valid, made /m);
    assert.match(stdout, /^paused until +.*, as it wants fewer requests$/m);
    const list = await ran(server, ['ingress', 'authority', 'list']);
    assert.match(list.stdout, /letsencrypt +not made yet +\S+ +1 of 1 +No such host\./);
  });

  it('says before it removes one what needs it', async () => {
    await using server = await exampleServer();
    const { code, stdout, stderr } = await ran(server, ['ingress', 'authority', 'remove', 'letsencrypt', '--yes']);
    assert.equal(code, 0, stdout + stderr);
    assert.equal(server.seen.at(-1)?.method, 'DELETE');
  });
});

describe('mesh ingress order', { concurrency: 2 }, () => {
  const example = OPERATIONS['certificate_orders.show'].example.answer;
  const failing: CertificateOrder = {
    ...example,
    ...{ state: 'failing', step: 'challenge', staging: true, attempts: 3, problem: 'gw-1 is not reached at port 80.' },
    ...{ next_at: '2026-11-14T10:20:00Z', renewal: null, not_after: null, issued_at: null },
  };

  it('says how far it is, why it failed and when it is tried again', async () => {
    await using server = await exampleServer({
      'certificate_orders.list': (response) => json(response, { items: [failing, example], next_cursor: null }),
      'certificate_orders.show': (response) => json(response, failing),
    });
    const list = await ran(server, ['ingress', 'order', 'list', '--authority', 'letsencrypt']);
    assert.match(list.stdout, /failing: challenge \(staging\) +letsencrypt +- +\S+ +gw-1 is not reached/);
    assert.match(list.stdout, /shop\.example\.net +issued +letsencrypt/);
    const { stdout } = await ran(server, ['ingress', 'order', 'show', 'shop.example.net']);
    assert.match(stdout, /^problem +gw-1 is not reached at port 80\.$/m);
    assert.match(stdout, /^attempts that failed +3$/m);
    assert.match(stdout, /^issued +not yet$/m);
    assert.match(stdout, /^ingresses +shop$/m);
  });

  it('is brought forward by its host name', async () => {
    await using server = await exampleServer();
    const { code, stderr, stdout } = await ran(server, ['ingress', 'order', 'retry', 'shop.example.net']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(
      [server.seen.at(-1)?.method, server.seen.at(-1)?.url],
      ['POST', '/v1/certificate-orders/shop.example.net/retry'],
    );
    assert.match(stdout, /^state +waiting$/m);
  });
});
