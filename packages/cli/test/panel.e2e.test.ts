/** The panel from its start: beside the coordinator, alone, over TLS, and when no owner can sign in any more. */
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { certificateIn } from './certificate.ts';
import { mesh, Run, tempFolder } from './run-mesh.ts';

const ANYWHERE = ['--listen', '127.0.0.1:0', '--panel-listen', '127.0.0.1:0'];
const CODE = /^ {2}Set it up +http\S+\/setup#((?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}) \(good for one hour/m;
const PASSWORD = 'correct zebra lantern gravel';

async function post(url: string, path: string, body: object): Promise<Response> {
  return await fetch(new URL(path, url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function panelOf(run: Run): Promise<string> {
  const [, url = ''] = await run.said('stderr', /^ {2}Panel +(\S+)$/m);
  return url;
}

describe('the panel', { concurrency: 2 }, () => {
  it('comes up with everything else, takes its first owner, and then says nothing of a code', async () => {
    await using folder = await tempFolder();
    const options = { cwd: folder.path };
    await using up = new Run(['up', ...ANYWHERE], options);
    const [, code] = await up.said('stderr', CODE);
    const url = await panelOf(up);
    const made = await post(url, '/api/v1/setup', { code, name: 'ada', password: PASSWORD });
    assert.equal(made.status, 201, await made.clone().text());
    const { permissions } = (await made.json()) as { permissions: string[] };
    assert.ok(permissions.includes('users:write'), 'it speaks with the coordinator');
    up.child.kill('SIGTERM');
    assert.equal((await up.ended).code, 0);
    assert.equal((await stat(join(folder.path, 'data', 'panel-token'))).mode & 0o777, 0o600);
    await using again = new Run(['up', ...ANYWHERE], options);
    await again.said('stderr', /Press Ctrl-C to stop/);
    assert.doesNotMatch(again.stderr, /Set it up/);
    assert.equal(
      (await post(await panelOf(again), '/api/v1/auth/login', { name: 'ada', password: PASSWORD })).status,
      200,
    );
  });

  it('makes an owner from the machine itself when none can sign in any more', async () => {
    await using folder = await tempFolder();
    await using up = new Run(['up', ...ANYWHERE, '--recover-owner', 'ada'], { cwd: folder.path });
    const [, link = ''] = await up.said('stderr', /^ {2}Recovery +(\S+) \(good once/m);
    const { hash, origin } = new URL(link);
    const accept = { code: hash.slice(1), password: PASSWORD };
    const accepted = await post(origin, '/api/v1/invitation', accept);
    assert.equal(accepted.status, 201);
    assert.equal(((await accepted.json()) as { user: { role: string } }).user.role, 'owner');
    assert.equal((await post(origin, '/api/v1/invitation', accept)).status, 401);
    const { code, stderr } = await mesh(['up', ...ANYWHERE, '--recover-owner', 'Not A Name'], {
      env: { MESH_DATA_DIR: join(folder.path, 'other') },
    });
    assert.equal(code, 1);
    assert.match(stderr, /cannot start: "Not A Name" is not a valid name/);
  });

  it('runs alone beside a coordinator elsewhere, over TLS, and trusts that by its certificate', async () => {
    await using folder = await tempFolder();
    const subject = ['-subj', '/CN=mesh.example', '-addext', 'subjectAltName=DNS:mesh.example'];
    const { cert, key } = await certificateIn(folder.path, ...subject);
    const tls = ['--tls-cert', cert, '--tls-key', key, '--panel-token-file', join(folder.path, 'panel-token')];
    await using coordinator = new Run(['coordinator', '--listen', '127.0.0.1:0', ...tls], { cwd: folder.path });
    const [, url = ''] = await coordinator.said('stdout', /"url":"(https:[^"]+)".*"msg":"serving"/);
    const beside = [
      '--panel-listen',
      '127.0.0.1:0',
      '--coordinator-url',
      url,
      '--data-dir',
      join(folder.path, 'panel'),
    ];
    await using panel = new Run(['panel', ...tls, ...beside, '--coordinator-cert', cert], { cwd: folder.path });
    await panel.said('stderr', CODE);
    await becomes({ name: 'coordinator', ok: true, detail: null }, await panelOf(panel), cert);
    assert.doesNotMatch(panel.stdout, /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/, 'the code is in no log');
    panel.child.kill('SIGTERM');
    assert.equal((await panel.ended).code, 0);
    await using distrusting = new Run(['panel', ...tls, ...beside], { cwd: folder.path });
    await distrusting.said('stderr', CODE);
    const refused = { name: 'coordinator', ok: false, detail: 'the TLS connection failed' };
    await becomes(refused, await panelOf(distrusting), cert);
  });

  it('names everything that is wrong with either configuration at once', async () => {
    const env = {
      MESH_PANEL_LISTEN: 'nowhere',
      MESH_COORDINATOR_LISTEN: 'nowhere',
      MESH_OIDC_ISSUER: 'x',
      MESH_LOG_LEVEL: 'loud',
    };
    const { code, stderr } = await mesh(['up'], { env });
    assert.equal(code, 2);
    for (const variable of ['PANEL_LISTEN', 'COORDINATOR_LISTEN', 'OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_ROLES']) {
      assert.match(stderr, new RegExp(`^  MESH_${variable} `, 'm'));
    }
    assert.equal(stderr.match(/MESH_LOG_LEVEL/g)?.length, 1);
  });
});

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string | null;
}

/** Asks until the check says this: a coordinator on a busy machine may be too slow for the first look of the panel. */
async function becomes(wanted: Check, url: string, cert: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const check = await coordinatorCheck(url, cert);
    if (isDeepStrictEqual(check, wanted)) return;
    if (performance.now() > deadline) assert.deepEqual(check, wanted);
    await pause(100);
  }
}

async function coordinatorCheck(url: string, cert: string): Promise<Check | undefined> {
  const ca = await readFile(cert, 'utf8');
  const text = await new Promise<string>((resolve, reject) => {
    const { port } = new URL(url);
    const options = { host: '127.0.0.1', port, path: '/readyz', ca, checkServerIdentity: () => undefined };
    const sent = request(options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve(body));
    });
    sent.on('error', reject).end();
  });
  return (JSON.parse(text) as { checks: Check[] }).checks.find(({ name }) => name === 'coordinator');
}
