/** ACME under kills: what clients were answered stays, and each of them gets what it ordered. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  AcmeAccount,
  Certificate,
  ChainReport,
  HeartbeatRequest,
  ProbeResult,
  TokenWithSecret,
} from '@meshwork/contract';
import { openssl } from '@meshwork/pki/testing';
import { calculateJwkThumbprint } from 'jose';
import { bindingOf, type newKey } from '../../../test/acme-client.ts';
import { errorOf } from '../../../test/acme-scene.ts';
import { ALL, type Ask, type Asked, askAt } from '../../../test/harness.ts';
import { InsistentClient, isLost } from '../../../test/insistent-client.ts';
import { Service } from '../../../test/service.ts';
import { EVERYTHING, TestNode } from '../../../test/test-node.ts';

const KILLS = 4;
const CLIENTS = 4;
/** Between two kills. */
const MOST_ANSWERS = 50;
const ABILITIES = { ...EVERYTHING, probes: ['challenge'] };

interface Account {
  readonly by: InsistentClient;
  readonly token: string;
  /** The key that it had before. Absent: none. */
  readonly old_key?: ReturnType<typeof newKey>;
  readonly isDeactivated: boolean;
}

it(`ACME clients of a coordinator that is killed ${KILLS} times get what they ordered, and it has all that it answered`, {
  timeout: 170_000,
}, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'mesh-killed-acme-'));
  const env = { MESH_DATA_DIR: folder.path, MESH_LOG_LEVEL: 'silent' };
  let service = await Service.start({ ...env, MESH_COORDINATOR_LISTEN: '127.0.0.1:0' });
  const { url } = service;
  const owner = (await readFile(join(folder.path, 'bootstrap-token'), 'utf8')).trim();
  const ask: Asked['ask'] = (method, path, given: Ask = {}) => askAt(url, method, path, { token: owner, ...given });
  const mesh: Asked = { url, owner, ask, clock: { now: () => Date.now() } };

  const accounts = new Map<string, Account>();
  const issued = new Map<string, { readonly account: string; readonly url: string; readonly chain: string }>();
  const revoked = new Set<string>();
  const shown = new Map<string, string>();
  let [answers, losses, names, isOver] = [0, 0, 0, false];
  const ended = new AbortController();
  const around = {
    url,
    signal: ended.signal,
    show: (token: string, text: string) => void shown.set(token, text),
    answered: (isHere: boolean) => void (isHere ? answers++ : losses++),
  };

  /** The node that clients prove names of. Its sessions outlive the coordinator; its heartbeats do not. */
  async function beat(node: TestNode): Promise<void> {
    let results: readonly ProbeResult[] = [];
    for (let says: Pick<HeartbeatRequest, 'report'> = {}; !ended.signal.aborted; ) {
      try {
        const sent = { ...says, applied: node.applied(), probe_results: [...results] };
        const { status, body, text } = await node.beat({ wait: 1, ...sent });
        assert.equal(status, 200, text);
        says = {};
        const shownFor = (token = '') => ({ shown: shown.get(token) ?? 'nothing' });
        results = (body.probes ?? []).map(({ id, challenge }) => ({ id, challenge: shownFor(challenge?.token) }));
      } catch (error) {
        if (ended.signal.aborted || !isLost(error)) throw error;
        says = { report: { abilities: ABILITIES } };
        await pause(20);
      }
    }
  }

  /** Makes accounts, and has each of them order, revoke, and change its key or end. */
  async function work(token: TokenWithSecret, client: number): Promise<void> {
    const binding = await bindingOf(mesh, token.secret);
    for (let career = 0; !isOver; career++) {
      const by = new InsistentClient(around);
      await by.register(binding);
      const account = { by, token: token.id, isDeactivated: false };
      accounts.set(by.account, account);
      for (let round = 0; round < 3; round++) {
        const certified = await by.certify(`s${++names}.git-1.mesh`);
        const serial = new X509Certificate(certified.chain).serialNumber.toLowerCase();
        issued.set(serial, { account: by.account, ...certified });
        if (round === 1) accounts.set(by.account, { ...account, old_key: await by.changeKey() });
        if (round === 0) continue;
        await by.revoke(certified);
        revoked.add(serial);
      }
      if ((career + client) % 2 === 1) continue;
      await by.deactivate();
      accounts.set(by.account, { ...account, isDeactivated: true });
    }
  }

  async function every<T>(path: string): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const at: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { status, text, body } = await ask<{ items: T[]; next_cursor: string | null }>(
        'GET',
        `${path}?limit=200${at}`,
      );
      assert.equal(status, 200, text);
      items.push(...body.items);
      cursor = body.next_cursor;
    }
    return items;
  }

  async function tokenFor(client: number): Promise<TokenWithSecret> {
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const body = { name: `client ${client}`, scope: ALL, role: 'operator', expires };
    return (await ask<TokenWithSecret>('POST', '/v1/auth/tokens', { body })).body;
  }

  try {
    await ask('PATCH', '/v1/settings', { body: { api: { rate_per_s: 10_000, burst: 10_000 } } });
    while ((await ask('GET', '/v1/ca/crl')).text.split('BEGIN X509 CRL').length < 3) await pause(20);
    const node = await TestNode.enroll(mesh, { name: 'git-1' });
    await node.beat({ report: { abilities: ABILITIES } });
    const tokens = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => tokenFor(client)));
    const beating = beat(node);
    const working = Promise.all(tokens.map(work));
    const all = Promise.race([working, beating]); // neither ends by itself until the kills are over
    all.catch(() => undefined); // it is awaited below
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = answers + 10 + Math.floor(Math.random() * MOST_ANSWERS);
      while (answers < enough) await Promise.race([pause(2), all]);
      await pause(Math.random() * 20);
      await service.end('SIGKILL');
      service = await Service.start({ ...env, MESH_COORDINATOR_LISTEN: new URL(url).host });
    }
    isOver = true; // each client is through with its last account first
    await all;
    ended.abort();
    await beating;

    const known = new Map((await every<AcmeAccount>('/v1/ca/acme/accounts')).map((one) => [one.id, one]));
    for (const [id, { by, token, old_key, isDeactivated }] of accounts) {
      const found = known.get(id) ?? assert.fail(`the account ${id} is gone`);
      const { d: _, ...jwk } = by.client.key.export({ format: 'jwk' });
      const thumbprint = await calculateJwkThumbprint(jwk);
      assert.deepEqual(
        [found.token.id, found.thumbprint, found.state],
        [token, thumbprint, isDeactivated ? 'deactivated' : 'valid'],
      );
      const kid = by.client.kid ?? '';
      if (isDeactivated) assert.deepEqual(errorOf(await by.client.read(kid)), [403, 'unauthorized']);
      else if (old_key !== undefined) {
        assert.deepEqual(errorOf(await by.client.post(kid, '', { key: old_key })), [400, 'malformed']);
      }
    }
    const certificates = await every<Certificate>('/v1/ca/certificates');
    const bySerial = new Map(certificates.map((one) => [one.serial, one]));
    assert.equal(bySerial.size, certificates.length, 'no serial number twice');
    const stranger = new InsistentClient(around);
    await stranger.register(await bindingOf(mesh, tokens[0]?.secret));
    const good: Record<string, string> = {};
    for (const [serial, { account, url: at, chain }] of issued) {
      const found = bySerial.get(serial) ?? assert.fail(`the certificate ${serial} is gone`);
      const holder = accounts.get(account) ?? assert.fail();
      assert.deepEqual([found.requested_by.id, found.state], [holder.token, revoked.has(serial) ? 'revoked' : 'valid']);
      if (!revoked.has(serial)) good[`${serial}.pem`] = chain;
      if (holder.isDeactivated) continue;
      assert.equal((await holder.by.download(at)).text, chain);
      assert.equal((await stranger.download(at)).status, 404);
    }
    const isListed = async () => {
      const lists = (await ask('GET', '/v1/ca/crl')).text.split(/(?<=END X509 CRL-----\n)/);
      const show = (list: string) => openssl(['crl', '-in', 'crl.pem', '-noout', '-text'], { 'crl.pem': list });
      const text = (await Promise.all(lists.map(show))).join('').toLowerCase();
      return [...revoked].every((serial) => text.includes(serial));
    };
    while (!(await isListed())) await pause(50);
    const trust = {
      'ca.pem': (await ask('GET', '/v1/ca/bundle')).text,
      'crl.pem': (await ask('GET', '/v1/ca/crl')).text,
      'chain.pem': Object.values(good)[0] ?? '',
    };
    const flags = [
      '-x509_strict',
      '-crl_check_all',
      '-CAfile',
      'ca.pem',
      '-CRLfile',
      'crl.pem',
      '-untrusted',
      'chain.pem',
    ];
    await openssl(['verify', ...flags, '-purpose', 'sslserver', ...Object.keys(good)], { ...trust, ...good });
    assert.equal((await ask<ChainReport>('POST', '/v1/audit/verify')).body.intact, true);
    assert.ok(losses >= KILLS, `only ${losses} clients were cut off; the test proves too little`);
  } finally {
    ended.abort();
    await service.end('SIGKILL');
  }
});
