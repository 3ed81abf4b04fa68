/** Fills a real, tiny disk and tells what becomes of a gateway's key there. Runs in a mount namespace of its own. */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeRequest } from '@meshwork/pki/request';
import { GatewayKeys } from '../src/engines/gateway/gateway-keys.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
const folder = process.argv[2] ?? '';
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', folder]);
const DAY_MS = 86_400_000;
let now = Date.now();
const open = async () => {
  const opened = new GatewayKeys({
    folder,
    now: () => now,
    makeRequest,
    warn: (problem) => say(`warning: ${problem}`),
  });
  await opened.open();
  return opened;
};
const keys = await open();
await keys.ensure();
const first = keys.request;

// Someone else's file takes all the room there is, when the key is due to be replaced.
const theirs = join(folder, 'theirs');
try {
  writeFileSync(theirs, Buffer.alloc(1024 * 1024));
} catch {
  // that is what it is for
}
now += 91 * DAY_MS;
await keys.ensure().catch(({ message }: Error) => say(message.replace(`${folder}/`, '')));
const isSame = keys.request === first && (await open()).request === first;
say(isSame ? 'the same key as before, also after a restart' : 'another key');
say(readdirSync(folder).sort().join());
rmSync(theirs);
await keys.ensure();
say(keys.request !== first && (await open()).request === keys.request ? 'a new one, once there is room' : 'no new key');
