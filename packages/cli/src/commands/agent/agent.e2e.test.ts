import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Ended, MAIN, mesh, Run, STARTER, SUITE_MS, type TempFolder, tempFolder } from '../../../test/run-mesh.ts';
import { EXIT_CODES } from '../../exit-codes.ts';

/**
 * With a network of its own, and a folder of its own for the sockets of WireGuard: an agent does things to its machine that
 * no test may do to this one.
 */
const APART = 'mkdir -p /run/wireguard && mount -t tmpfs tmpfs /run/wireguard && ip link set lo up && exec "$@"';
const ELSEWHERE = ['unshare', '--net', '--mount', 'sh', '-c', APART, 'sh'] as const;
const ALONE = [...ELSEWHERE, process.execPath, MAIN] as const;

const REPOSITORY = fileURLToPath(new URL('../../../../..', import.meta.url)).replace(/\/$/, '');

async function unitSetting(name: string): Promise<string> {
  const unit = await readFile(join(REPOSITORY, 'deploy', 'systemd', 'mesh-agent.service'), 'utf8');
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? assert.fail(`the unit does not say ${name}`);
}

describe('mesh agent', () => {
  let folder: TempFolder;
  let coordinator: Run;
  let url: string;
  let token: string;

  before(async () => {
    folder = await tempFolder();
    const certificate = join(folder.path, 'cert.pem');
    const subject = ['-subj', '/CN=coordinator', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1', '-nodes'];
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-keyout', join(folder.path, 'key.pem')];
    await promisify(execFile)('openssl', ['req', '-x509', ...key, ...subject, '-out', certificate]);
    await chmod(join(folder.path, 'key.pem'), 0o600);
    const tls = ['--tls-cert', certificate, '--tls-key', join(folder.path, 'key.pem')];
    const args = ['coordinator', '--listen', '127.0.0.1:0', '--data-dir', join(folder.path, 'data'), ...tls];
    coordinator = new Run(args, { cwd: folder.path, hangs_after_ms: SUITE_MS });
    [, url = ''] = await coordinator.said('stdout', /"url":"([^"]+)".*"msg":"serving"/);
    token = (await readFile(join(folder.path, 'data', 'bootstrap-token'), 'utf8')).trim();
  });
  after(async () => {
    await coordinator?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const state = (name: string) => ['--state-dir', join(folder.path, name)];
  const enroll = (name: string, more: readonly string[] = [], env: Record<string, string> = {}): Promise<Ended> => {
    const args = ['agent', 'enroll', ...state(name), '--coordinator', url, '--name', name, ...more];
    return mesh(args, { env: { MESH_ENROLL_TOKEN: token, ...env }, cwd: folder.path });
  };
  const trusting = () => ['--ca-file', join(folder.path, 'cert.pem')];

  it('shows the pin of a coordinator that is not trusted, and enrols with it', async () => {
    const refused = await enroll('git-1');
    assert.equal(refused.code, 3);
    const [, pin = ''] = /add --pin (sha256:[\w-]{43})\n$/.exec(refused.stderr) ?? [];
    assert.match(refused.stderr, /which is not trusted; nothing was sent to it/);
    assert.ok(coordinator.stdout.includes(pin), 'it is the one that the coordinator shows');
    // Another one for sure: the certificate is new each time, and its pin may end in anything.
    const other = pin.replace(/:./, (start) => (start === ':A' ? ':B' : ':A'));
    const wrong = await enroll('git-1', ['--pin', other]);
    assert.deepEqual([wrong.code, wrong.stderr.includes(`--pin ${pin}`)], [3, true]);
    const { code, stdout } = await enroll('git-1', ['--pin', pin, '--tag', 'role:git', '--service', 'git:tcp:22']);
    assert.equal(code, 0);
    assert.match(stdout, /^node +node_\w+\nname +git-1\nstate +joining\n.*\nnext +start the agent/);
  });

  it('says which node it is when it was enrolled before, without a token', async () => {
    const again = await enroll('git-1', ['--json'], { MESH_ENROLL_TOKEN: '' });
    assert.equal(again.code, 0);
    const { name, how } = JSON.parse(again.stdout) as Record<string, unknown>;
    assert.deepEqual([name, how], ['git-1', 'already']);
    const args = ['agent', 'enroll', ...state('git-1'), '--coordinator', 'https://other.example.org'];
    const other = await mesh(args, { cwd: folder.path });
    assert.equal(other.code, 5);
    assert.match(other.stderr, /this machine is git-1 .*\ntry: .*mesh agent reset --forget/);
  });

  it('says what is wrong with a token, a name or an address, and never repeats the token', async () => {
    const secret = `mesh_${'a'.repeat(26)}_${'b'.repeat(43)}_cccccc`;
    const unknown = await enroll('x', trusting(), { MESH_ENROLL_TOKEN: secret });
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /^mesh: the coordinator refused to enrol this machine: .*\ntry: .*mesh token create/);
    assert.ok(!unknown.stderr.includes(secret));
    const taken = await enroll('y', [...trusting(), '--name', 'git-1']);
    assert.equal(taken.code, 5);
    assert.match(taken.stderr, /"git-1".*\ntry: choose another one with --name/);
    const gone = await enroll('z', ['--coordinator', 'https://127.0.0.1:1']);
    assert.equal(gone.code, 6);
    assert.match(
      gone.stderr,
      /the connection was refused.*\ntry: is it running, is that its address \(--coordinator\)/,
    );
    assert.equal((await enroll('z', trusting(), { MESH_ENROLL_TOKEN: '' })).code, 2);
  });

  it('says when a node needs approval', async () => {
    const env = { MESH_URL: url, MESH_TOKEN: token, NODE_EXTRA_CA_CERTS: join(folder.path, 'cert.pem') };
    const set = (value: boolean) => mesh(['settings', 'set', `nodes.require_approval=${value}`], { env });
    assert.equal((await set(true)).code, 0);
    try {
      const { code, stdout } = await enroll('waits', trusting());
      assert.equal(code, 0);
      assert.match(stdout, /state +pending\n.*\nnext +have it approved: mesh node approve waits/);
    } finally {
      await set(false);
    }
  });

  it('does not run where it is not enrolled, not fit, or running already', async () => {
    const run = (name: string, program: readonly [string, ...string[]] = ALONE) =>
      mesh(['agent', 'run', ...state(name), '--health-listen', 'off'], { program, cwd: folder.path });
    const stranger = await run('not-enrolled');
    assert.deepEqual([stranger.code, /not enrolled.*\ntry: mesh agent enroll/.test(stranger.stderr)], [2, true]);
    const powerless = ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all'] as const;
    const unfit = await run('git-1', [...ELSEWHERE, ...powerless, process.execPath, MAIN]);
    assert.equal(unfit.code, 12);
    assert.match(
      unfit.stderr,
      /^mesh: this machine lacks what an agent needs:\n {2}it may not change the network.* → run it as root/,
    );
    const holder = join(folder.path, 'git-1', 'agent.lock');
    await using other = new Run([], {
      program: ['flock', '--no-fork', holder, 'sh', '-c', 'echo held; exec sleep 600'],
    });
    await other.said('stdout', /held/);
    const second = await run('git-1');
    assert.deepEqual([second.code, /another agent/.test(second.stderr)], [13, true]);
    const reset = await mesh(['agent', 'reset', '--yes', ...state('git-1')], { program: ALONE });
    assert.deepEqual([reset.code, /systemctl stop mesh-agent/.test(reset.stderr)], [5, true]);
  });

  it('does not reset a machine unasked', async () => {
    const { code, stderr } = await mesh(['agent', 'reset', ...state('git-1')], { program: ALONE });
    assert.equal(code, 2);
    assert.match(stderr, /there is no terminal\ntry: mesh agent reset --yes/);
  });

  it('says how the agent does, and ends with 0 only when the node is ready', async () => {
    const { enrolled } = JSON.parse(await readFile(join(folder.path, 'git-1', 'identity.json'), 'utf8'));
    let ready = true;
    let node: string = enrolled.node;
    const health = createServer((_, response) => {
      const checks = [{ name: 'engine', ok: ready, detail: ready ? 'mesh0 is up' : 'mesh0 is gone' }];
      const peers = { direct: 2, relay: 1, none: 0 };
      const health = { ready, node, name: 'git-1', addresses: ['100.64.0.7'], checks, peers, last_heartbeat: null };
      response.writeHead(ready ? 200 : 503).end(JSON.stringify(health));
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => health.once('listening', resolve));
      const at = `127.0.0.1:${(health.address() as AddressInfo).port}`;
      const status = (...more: string[]) =>
        mesh(['agent', 'status', ...state('git-1'), '--health-listen', at, ...more]);
      const good = await status();
      assert.equal(good.code, 0);
      assert.match(
        good.stdout,
        /addresses +100\.64\.0\.7\nready +yes\n[\s\S]*peers +2 direct, 1 by relay, 0 not reached\nengine +ok: mesh0 is up\n$/,
      );
      ready = false;
      const bad = await status('--json');
      assert.equal(bad.code, 1);
      assert.equal((JSON.parse(bad.stdout) as { agent: { ready: boolean } }).agent.ready, false);
      node = 'node_other';
      assert.match((await status()).stdout, /problem +what answers at http:\S+ is not the agent of this node/);
    } finally {
      health.close();
    }
    const off = await mesh(['agent', 'status', ...state('git-1'), '--health-listen', '127.0.0.1:1']);
    assert.deepEqual([off.code, /no agent answers at/.test(off.stdout)], [1, true]);
    assert.equal((await mesh(['agent', 'status', ...state('not-enrolled')])).code, 1);
  });

  it('runs with no more than the unit gives it until a signal ends it, and is gone after a reset', async () => {
    assert.equal((await enroll('runs', trusting())).code, 0);
    const capabilities = (await unitSetting('CapabilityBoundingSet')).toLowerCase().matchAll(/(?<=\bcap_)\w+/g);
    const bounding = ['-all', ...[...capabilities].map(([name]) => `+${name}`)].join(',');
    const least = ['setpriv', '--bounding-set', bounding, '--inh-caps', '-all'] as const;
    const program = [...ELSEWHERE, ...least, process.execPath, STARTER] as const;
    const args = ['agent', 'run', ...state('runs'), '--log-format', 'text'];
    await using run = new Run(args, { program, cwd: folder.path });
    await run.said('stderr', /^warn {2}no coordinator: cannot reach https:/m); // not from a network of its own
    run.child.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    assert.equal(code, 0);
    assert.match(stderr, /ended: stopped on request\n$/);
    assert.ok(!stderr.includes(token));
    const reset = await mesh(['agent', 'reset', '--forget', '--yes', ...state('runs')], { program: ALONE });
    assert.deepEqual([reset.code, reset.stdout], [0, 'removed and forgotten\n']);
    assert.deepEqual(await readdir(join(folder.path, 'runs')), ['agent.lock']);
  });

  it('is not started again by its unit where that changes nothing', async () => {
    const codes = (await unitSetting('RestartPreventExitStatus')).split(' ').map(Number);
    assert.deepEqual(codes, [EXIT_CODES.usage.code, EXIT_CODES.gone.code]);
    const [, program = '', ...words] = (await unitSetting('ExecStart'))
      .split(' ')
      .filter((word) => !word.startsWith('--'));
    assert.deepEqual([program.replace('/opt/meshwork', REPOSITORY), ...words], [STARTER, 'agent', 'run']);
  });

  it('names a damaged file, and is itself without the rest of mesh', async () => {
    assert.equal((await enroll('broken', trusting())).code, 0);
    const file = join(folder.path, 'broken', 'identity.json');
    await writeFile(file, '{"version":1');
    const { code, stderr } = await mesh(['agent', 'status', ...state('broken')], {
      program: [process.execPath, STARTER],
    });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^mesh: ${file} is damaged .*mesh agent reset --forget`));
    const help = await mesh(['agent', '--help'], { program: [process.execPath, STARTER] });
    assert.deepEqual(help, await mesh(['agent', '--help']));
    const alone = await mesh(['token', 'list'], {
      program: [process.execPath, MAIN.replace('main.ts', 'agent-main.ts')],
    });
    assert.match(alone.stderr, /unknown command 'token'/);
  });
});
