import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Namespace, namespace } from '../../test/namespaces.ts';
import { takePort } from '../../test/wireguard-places.ts';
import { UserspaceDriver } from '../engines/wireguard/userspace-driver.ts';
import type { Lack } from '../host/lack.ts';
import { hasNetAdmin } from './preflight.ts';

const CHILD = fileURLToPath(new URL('../../test/preflight-child.ts', import.meta.url));

/** In a network of its own: the question whether the kernel has WireGuard makes an interface for a moment. */
async function lacks(place: Namespace, args: readonly string[], before: readonly string[] = []): Promise<Lack[]> {
  const [command = '', ...rest] = [...before, process.execPath, CHILD, ...args];
  return JSON.parse(await place.run(command, rest)) as Lack[];
}

test('a machine that has everything lacks nothing, with no more than CAP_NET_ADMIN', async () => {
  await using place = await namespace();
  assert.deepEqual(await lacks(place, ['51820', '8080']), []);
  const least = ['setpriv', '--bounding-set', '-all,+net_admin', '--inh-caps', '-all'];
  assert.deepEqual(await lacks(place, ['51820', '8080'], least), []);
});

test('everything that is missing is listed at once, each with the remedy', async () => {
  await using place = await namespace();
  const powerless = ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all'];
  const found = await lacks(place, ['51820', '80', 'nft', 'wireguard-go'], powerless);
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
  await using place = await namespace();
  await using _udp = await takePort(place, 51_820);
  await using _tcp = await takePort(place, 8080, 'tcp');
  const found = await lacks(place, ['51820', '8080']);
  assert.deepEqual(
    found.map(({ what }) => what),
    [
      'UDP port 51820, for WireGuard, cannot be had (EADDRINUSE)',
      '127.0.0.1:8080, for health and metrics, cannot be had (EADDRINUSE)',
    ],
  );
});

test('a port that our own interface has from an earlier start is no obstacle', async () => {
  const withInterface = async (name: string) => {
    await using place = await namespace();
    const driver = new UserspaceDriver({ interface: name, ...place });
    await driver.ensure();
    await driver.apply({ port: 51_820, upsert: [], remove: [] });
    await place.ip(`link set ${name} up`);
    return await lacks(place, ['51820', '8080']);
  };
  assert.deepEqual(await withInterface('mesh0'), []);
  const other = await withInterface('other0');
  assert.match(other.map(({ what }) => what).join(), /^UDP port 51820/);
});

test('the kernel’s list of capabilities is read by its bit', () => {
  assert.ok(hasNetAdmin('Name:\tx\nCapEff:\t0000000000001000\n'));
  assert.ok(!hasNetAdmin('CapPrm:\t0000000000001000\nCapEff:\t0000000000000800\n'));
  assert.ok(!hasNetAdmin(''));
});
