/**
 * In a mount namespace of its own: a gateway whose folder of certificates is on a disk that is full, and then read-only, when it is to take
 * another one. Says in lines what became of it.
 */
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { givenAuthority } from '@meshwork/pki/testing';
import { gatewayScene } from './gateway-scene.ts';
import { ingressId, ingressOf, routeOf } from './ingress-section.ts';

const run = promisify(execFile);
const GIVEN = `given_${'1'.padStart(26, '0')}`;
const WWW = 'www-1.example.com';

const scene = await gatewayScene();
try {
  const web = await scene.service('web');
  const authority = await givenAuthority();
  const bring = async () => {
    const { chain, private_key } = await authority.issue({ names: [`DNS:${WWW}`] });
    return { id: GIVEN, chain, private_key };
  };
  const section = [
    ingressOf(1, {
      routes: [routeOf({ targets: [web.target(1)] })],
      tls: { chain: null, given: GIVEN, redirect: false },
    }),
  ];
  const folder = join(scene.path, 'tls');
  await mkdir(folder, { recursive: true });
  await run('mount', ['-t', 'tmpfs', '-o', 'size=16k', 'tmpfs', folder]);
  await scene.server.serve({ section, ca: undefined, given: [await bring()] });
  const first = await scene.shownTo(WWW);
  const next = await bring();
  const tried = async (what: string) => {
    const why = await scene.server.serve({ section, ca: undefined, given: [next] }).then(
      () => 'it was written',
      (error: Error) => error.message.replace(`${scene.path} `, ''),
    );
    const { fingerprint256 } = await scene.shownTo(WWW);
    const is_same = fingerprint256 === first.fingerprint256;
    process.stdout.write(`${what}: ${why}\n${is_same ? 'the same certificate as before' : 'another certificate'}\n`);
  };
  const filler = join(folder, 'theirs');
  await writeFile(filler, Buffer.alloc(64 * 1024)).catch(() => undefined); // until there is no room
  await tried('full');
  await rm(filler);
  await run('mount', ['-o', 'remount,ro', folder]);
  await tried('read-only');
  await run('mount', ['-o', 'remount,rw', folder]);
  await scene.server.serve({ section, ca: undefined, given: [next] });
  const { fingerprint256 } = await scene.shownTo(WWW);
  const is_alone = (await readdir(folder)).join() === `${ingressId(1)}.pem`;
  const is_new = fingerprint256 !== first.fingerprint256;
  process.stdout.write(is_new && is_alone ? 'the new one, once there is room, and nothing beside it\n' : 'neither\n');
} finally {
  await run('umount', [join(scene.path, 'tls')]).catch(() => undefined);
  await scene[Symbol.asyncDispose]();
}
