/** Runs the agent of a machine with a folder that has a key and nothing else, and says what becomes of it. */
import { writeSync } from 'node:fs';
import { readAgentConfig } from '../src/config.ts';
import { removeDataPlane } from '../src/data-plane/open-engines.ts';
import { openLog } from '../src/host/log.ts';
import { openStateFolder } from '../src/identity/state-folder.ts';
import { WireguardKey } from '../src/identity/wireguard-key.ts';
import { runAgent } from '../src/main.ts';
import { enrolledIdentity } from './enrolled-identity.ts';

const [, , path = '', what] = process.argv;
const say = (error: Error) => writeSync(1, `${what}: ${error.name}: ${error.message}\n`);
const folder = await openStateFolder(path);
if (what === 'reset') await removeDataPlane(folder.path).catch(say);
else await run().catch(say);
process.exit(0);

async function run(): Promise<void> {
  await WireguardKey.create(folder.path);
  await runAgent({
    config: readAgentConfig({ MESH_STATE_DIR: path, MESH_HEALTH_LISTEN: 'off' }),
    folder,
    identity: enrolledIdentity(),
    log: openLog({ log_level: 'silent', log_format: 'text' }, { write: () => undefined }),
    signal: AbortSignal.timeout(500),
  });
}
