import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { HeartbeatReply, Peer } from '@meshwork/contract';
import { newFolder } from '../../../test/new-folder.ts';
import { NO_GUARD } from '../../rollback/guarded-part.ts';
import { HeldView } from '../../view/held-view.ts';
import { NamesEngine } from './engine.ts';
import { HostsFile } from './hosts-file/hosts-file.ts';

const peer = (endpoint: string): Peer => ({
  id: 'node_01jcqv6p0ee3xv9k7d0w8m2b4n',
  name: 'git-1',
  wireguard_key: 'xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=',
  address: '100.64.0.7/32',
  address6: 'fd6d::7/128',
  endpoints: [endpoint],
  relay: null,
});

test('a peer that is gone is not found any more, also when something else of it had changed before', async () => {
  await using folder = await newFolder();
  const path = join(folder.path, 'hosts');
  const engine = new NamesEngine(new HostsFile({ path, host: 'laptop' }), []);
  const view = new HeldView();
  const apply = async (peers: HeartbeatReply['peers'], revision: number) => {
    view.take({ revision, next_s: 0, ...(peers === undefined ? {} : { peers }) });
    await engine.plan('peers', { view, guard: NO_GUARD, kept_out: [] })?.();
    return await readFile(path, 'utf8');
  };
  assert.match(await apply({ full: [peer('192.0.2.7:51820')] }, 1), /100\.64\.0\.7 git-1\.mesh git-1$/m);
  assert.match(await apply({ upsert: [peer('192.0.2.8:51820')], remove: [] }, 2), /git-1/);
  assert.doesNotMatch(await apply({ upsert: [], remove: [peer('').id] }, 3), /git-1/);
});
