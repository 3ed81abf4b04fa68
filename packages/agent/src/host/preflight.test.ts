import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder } from '../../test/new-folder.ts';
import { hasNetAdmin, type Lack } from './preflight.ts';

const run = promisify(execFile);
const CHILD = fileURLToPath(new URL('../../test/preflight-child.ts', import.meta.url));

/** In a network of its own: the question whether the kernel has WireGuard makes an interface for a moment. */
async function lacks(before: readonly string[], args: readonly string[]): Promise<Lack[]> {
  const program = [...before, process.execPath, CHILD, ...args];
  const script = 'ip link set lo up && exec "$@"';
  const { stdout } = await run('unshare', ['--net', 'sh', '-c', script, 'sh', ...program]);
  return JSON.parse(stdout) as Lack[];
}

test('a machine that has everything lacks nothing, with no more than CAP_NET_ADMIN', async () => {
  assert.deepEqual(await lacks([], ['51820', '8080']), []);
  const least = ['setpriv', '--bounding-set', '-all,+net_admin', '--inh-caps', '-all'];
  assert.deepEqual(await lacks(least, ['51820', '8080']), []);
});

test('all that is lacking is said at once, each with the remedy', async () => {
  const powerless = ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all'];
  const found = await lacks(powerless, ['51820', '80', 'nft', 'wireguard-go']);
  const text = found.map(({ what, fix }) => `${what} → ${fix}`).join('\n');
  for (const part of [
    /CAP_NET_ADMIN is missing.*→ .*root/,
    /nft.* is not installed → apt-get install nftables/,
    /the kernel has no WireGuard, and wireguard-go.* is not installed → apt-get install wireguard-go/,
  ]) {
    assert.match(text, part);
  }
});

test('ports that others have are named', async () => {
  const taken =
    'process.getBuiltinModule("dgram").createSocket("udp4").bind(51820);process.getBuiltinModule("net").createServer().listen(8080,"127.0.0.1")';
  const script =
    '"$0" -e "$1" & holder=$!; until ss -ltn | grep -q :8080; do :; done; shift; "$@"; code=$?; kill $holder; exit $code';
  const holding = ['sh', '-c', script, process.execPath, taken];
  const found = await lacks(holding, ['51820', '8080']);
  assert.deepEqual(
    found.map(({ what }) => what),
    [
      'UDP port 51820, for WireGuard, cannot be had (EADDRINUSE)',
      '127.0.0.1:8080, for health and metrics, cannot be had (EADDRINUSE)',
    ],
  );
});

test('a port that our own interface has from an earlier start is no obstacle', async () => {
  await using folder = await newFolder();
  // Whoever runs beside it shares the folder of the sockets, so this one is put over it, for these processes only.
  const script = [
    'mkdir -p /var/run/wireguard && mount --bind "$0" /var/run/wireguard',
    'wireguard-go -f mesh0 & holder=$!',
    'until wg set mesh0 listen-port 51820 2>/dev/null; do :; done',
    'ip link set mesh0 up && "$@"; code=$?; kill $holder; exit $code',
  ].join('\n');
  assert.deepEqual(await lacks(['unshare', '--mount', 'sh', '-c', script, folder.path], ['51820', '8080']), []);
  const other = await lacks(
    ['unshare', '--mount', 'sh', '-c', script.replaceAll('mesh0', 'other0'), folder.path],
    ['51820', '8080'],
  );
  assert.match(other.map(({ what }) => what).join(), /^UDP port 51820/);
});

test('the kernel’s list of capabilities is read by its bit', () => {
  assert.ok(hasNetAdmin('Name:\tx\nCapEff:\t0000000000001000\n'));
  assert.ok(!hasNetAdmin('CapPrm:\t0000000000001000\nCapEff:\t0000000000000800\n'));
  assert.ok(!hasNetAdmin(''));
});
