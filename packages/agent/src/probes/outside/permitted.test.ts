import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../../../test/new-folder.ts';
import { isPermitted } from './permitted.ts';
import { publicResolvers } from './public-resolvers.ts';

test('a check from outside connects to no address that only a host itself can reach', () => {
  const reported = new Set(['10.0.0.7', '127.0.0.1', '169.254.169.254', 'fd00::7', 'fe80::1']);
  const permits = (address: string) => isPermitted(address, { reported, own: ['100.64.0.9', '203.0.113.200'] });
  for (const address of ['203.0.113.7', '2001:db8::7', '10.0.0.7', 'fd00::7']) assert.ok(permits(address), address);
  const refused = [
    ...['127.0.0.1', '0.0.0.0', '169.254.169.254', '100.100.100.200', '224.0.0.1', '255.255.255.255'],
    ...['::1', '::', 'fe80::1', 'ff02::1', 'fd00:ec2::254', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1'],
    ...['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '2002:7f00:1::', '2001:0:7f00:1::'],
    ...['10.0.0.8', '192.168.1.1', '172.16.0.1', '100.64.0.9', '100.64.0.1', 'fd00::8', '203.0.113.200'],
    ...['2130706433', '127.1', '0x7f.1', '203.0.113.007', 'localhost', '', 'fe80::1%eth0', '203.0.113.7 '],
  ];
  for (const address of refused) assert.ok(!permits(address), address);
});

test('the resolvers of the host are asked, and never the mesh’s own', async () => {
  await using folder = await newFolder();
  const file = async (name: string, ...lines: readonly string[]) => {
    const path = join(folder.path, name);
    await writeFile(path, `${lines.join('\n')}\n`);
    return path;
  };
  const resolv_conf = await file(
    'plain',
    '# nameserver 192.0.2.1',
    'nameserver 100.64.0.9',
    'nameserver 192.0.2.53',
    'nameserver x',
  );
  assert.deepEqual(await publicResolvers(['100.64.0.9'], { resolv_conf }), ['192.0.2.53']);
  const stub = await file('stub', 'nameserver 127.0.0.53');
  const uplinks = await file('uplinks', 'nameserver 192.0.2.53', 'nameserver 100.64.0.9', 'nameserver 2001:db8::53');
  assert.deepEqual(await publicResolvers(['100.64.0.9'], { resolv_conf: stub, uplinks }), [
    '192.0.2.53',
    '2001:db8::53',
  ]);
  assert.deepEqual(await publicResolvers([], { resolv_conf: join(folder.path, 'none') }), []);
});
