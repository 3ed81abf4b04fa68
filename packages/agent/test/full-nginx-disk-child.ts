/** Fills a real, tiny disk and tells what becomes of a gateway whose folder is there. Runs in a mount namespace of its own. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { gatewayScene } from './gateway-scene.ts';
import { ingressOf, routeOf } from './ingress-section.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
await using scene = await gatewayScene();
mkdirSync(scene.path);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', scene.path]);
const web = await scene.service('web');
const routes = [routeOf({ targets: [web.target(1)] })];
const serve = (...numbers: readonly number[]) =>
  scene.server.serve({ section: numbers.map((number) => ingressOf(number, { routes })), ca: undefined });
const theirs = join(scene.path, 'theirs');
try {
  await serve(1);
  try {
    writeFileSync(theirs, Buffer.alloc(1024 * 1024));
  } catch {
    // that is what it is for
  }
  const problem = await serve(1, 2).catch(({ message }: Error) => message.replace(scene.path, 'its folder'));
  say(problem ?? 'no problem');
  say(`${(await scene.ask('www-1.example.com')).body}, and ${(await scene.server.fault()) ?? 'nothing was changed'}`);
  say(`${readdirSync(scene.path).filter((name) => name.endsWith('.tmp')).length} drafts`);
  rmSync(theirs);
  await serve(1, 2);
  say(`${(await scene.ask('www-2.example.com')).body}, once there is room`);
} finally {
  await scene.server.remove();
  execFileSync('umount', ['--lazy', scene.path]); // a look at a file may be under way
}
