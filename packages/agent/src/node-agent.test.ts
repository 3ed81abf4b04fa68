import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HeartbeatReply } from '@meshwork/contract';
import { enrolledIdentity } from '../test/enrolled-identity.ts';
import { newFolder } from '../test/new-folder.ts';
import { RecordedEngines } from '../test/recorded-engines.ts';
import { openLog } from './host/log.ts';
import { PeerPlaces } from './host/peer-places.ts';
import { WireguardKey } from './identity/wireguard-key.ts';
import { NodeAgent } from './node-agent.ts';

it('an agent starts with a saved view that it cannot apply, and reports the error with its section', async () => {
  await using folder = await newFolder();
  const restored = { revision: 7, next_s: 0, self: { networks: ['nonsense'] } } as unknown as HeartbeatReply;
  const lines: string[] = [];
  const node = new NodeAgent({
    engines: new RecordedEngines().on({ now: () => 0 }),
    abilities: { sections: ['self', 'peers', 'acl', 'firewall'], engines: {} },
    identity: enrolledIdentity(),
    key: await WireguardKey.create(folder.path),
    restored,
    rollbacks: { loaded: undefined, save: () => undefined },
    rollback_after_s: 60,
    probe_flows: true,
    port: 51_820,
    accept_routes: 'subnets',
    places: new PeerPlaces(),
    version: '0.1.0',
    log: openLog({ log_level: 'warn', log_format: 'text' }, { write: (text) => lines.push(text) }),
    addressed: () => undefined,
    keepAudience: async () => undefined,
    save: () => undefined,
  });
  assert.equal(node.health.look().name, 'git-1');
  assert.equal(lines.length, 1);
});
