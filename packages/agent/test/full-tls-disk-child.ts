/** Fills a real, tiny disk and tells what becomes of the certificate that services read there. Runs in a mount namespace of its own. */
import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { certifiedNode, requestOf } from './certified-node.ts';
import { meshCa } from './mesh-ca.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
const folder = process.argv[2] ?? '';
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'tmpfs', folder]);
const ca = await meshCa();
const node = await certifiedNode(folder);
await node.tell({ certificate: { chain: null, request: true } });
const first = await ca.sign(requestOf(node));
await node.tell({ certificate: { chain: first, request: true } });
const second = await ca.sign(requestOf(node));

let third = second;

const inUse = async () => {
  const leaf = new X509Certificate(await node.file('cert.pem'));
  const fits = leaf.checkPrivateKey(createPrivateKey(await node.file('key.pem')));
  const which = [first, second, third].findIndex(
    (chain) => new X509Certificate(chain).serialNumber === leaf.serialNumber,
  );
  return fits ? ['the old pair', 'the new pair', 'the newest pair'][which] : 'no pair';
};

// Someone else's file leaves room for the keys, and not for the files of services.
const theirs = join(folder, 'theirs');
const roots = { roots: [ca.root], revocation_lists: [await ca.revocationList()] };
fill();
await node.tell({ trust: roots, certificate: { chain: second, request: false } });
const { trust, certificate } = node.applied;
say((trust?.error ?? certificate?.error ?? 'no error').replace(`${folder}/`, ''));
say(`${await inUse()}, which belongs together`);
const names = readdirSync(join(folder, 'tls')).filter((name) => name !== 'current');
say(names.length === 1 ? 'no leftovers' : names.join());
rmSync(theirs);
await node.again();
const isRight = node.applied.trust?.error === undefined && node.applied.certificate?.error === undefined;
say(
  isRight ? `${await inUse()}, once there is room` : `${node.applied.trust?.error} ${node.applied.certificate?.error}`,
);

await node.tell({ certificate: { chain: second, request: true } });
third = await ca.sign(requestOf(node));
const tls = join(folder, 'tls');
execFileSync('mount', ['--bind', tls, tls]);
execFileSync('mount', ['-o', 'remount,bind,ro', tls]);
await node.tell({ certificate: { chain: third, request: false } });
say((node.applied.certificate?.error ?? 'no error').replace(`${folder}/`, ''));
say(`${await inUse()}, until it can be written`);
execFileSync('mount', ['-o', 'remount,bind,rw', tls]);
await node.again();
say(`${node.applied.certificate?.error ?? (await inUse())}, once it can be written`);

function fill(): void {
  try {
    writeFileSync(theirs, Buffer.alloc(1024 * 1024));
  } catch {
    // that is what it is for
  }
}
