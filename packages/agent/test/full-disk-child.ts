/** Fills a real, tiny disk and tells what becomes of what an agent keeps there. Runs in a mount namespace of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPrivate, writeAtomically } from '../src/host/atomic-file.ts';
import { WireguardKey } from '../src/identity/wireguard-key.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
const folder = process.argv[2] ?? '';
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]);
const [file, theirs, keys] = [join(folder, 'a.json'), join(folder, 'theirs'), join(folder, 'keys')];
await writeAtomically(file, 'old');
mkdirSync(keys);
const key = await WireguardKey.create(keys);
const before = key.private_key;

// Someone else's file takes all the room there is.
try {
  writeFileSync(theirs, Buffer.alloc(1024 * 1024));
} catch {
  // that is what it is for
}
await writeAtomically(file, 'x'.repeat(100_000)).catch(({ message }: Error) =>
  say(message.replace(folder, '').slice(1)),
);
say((await readPrivate(file)) ?? 'gone');
say(
  readdirSync(folder)
    .filter((name) => name !== basename(keys))
    .sort()
    .join(),
);
const failed = await key.newKeyFor('operation_1').then(
  () => 'it worked',
  () => 'failed',
);
const reloaded = await WireguardKey.load(keys);
const isOld = failed === 'failed' && key.private_key === before && reloaded?.private_key === before;
say(isOld ? 'the same key as before' : 'another key');

rmSync(theirs);
const made = await key.newKeyFor('operation_1');
const kept = await WireguardKey.load(keys);
say(made.private !== before && kept?.private_key === made.private ? 'new, once there is room' : 'no new key');
