import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HeartbeatReply } from '@meshwork/contract';
import { newFolder } from '../test/new-folder.ts';
import { RecordedEngines } from '../test/recorded-engines.ts';
import { openLog } from './host/log.ts';
import { newIdentityKey } from './identity/keys.ts';
import { WireguardKey } from './identity/wireguard-key.ts';
import { NodeAgent } from './node-agent.ts';

it('an agent starts also with what it was told and cannot understand: its section says so later', async () => {
  await using folder = await newFolder();
  const restored = { revision: 7, next_s: 0, self: { networks: ['nonsense'] } } as unknown as HeartbeatReply;
  const lines: string[] = [];
  const node = new NodeAgent({
    engines: new RecordedEngines().engines,
    wireguard: 'userspace',
    identity: {
      version: 1,
      coordinators: ['http://127.0.0.1:1'],
      trust: { kind: 'system', insecure_http: false },
      private_key: newIdentityKey().private,
      idempotency_key: 'once',
      wish: { name: 'git-1', tags: [], services: [], routes: [] },
      enrolled: { node: 'node_01jcqv5s3ee3xv9k7d0w8m2b4n', name: 'git-1', interval_s: 15 },
    },
    key: await WireguardKey.create(folder.path),
    restored,
    port: 51_820,
    version: '0.1.0',
    log: openLog({ log_level: 'warn', log_format: 'text' }, { write: (text) => lines.push(text) }),
    save: () => undefined,
  });
  assert.equal(node.health.look().name, 'git-1');
  assert.equal(lines.length, 1);
});
