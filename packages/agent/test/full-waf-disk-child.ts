/** Fills a real, small disk and tells what becomes of events of the WAF there. Runs in a mount namespace of its own. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_UNREAD_BYTES } from '../src/engines/gateway/followed-log.ts';
import { gatewayScene } from './gateway-scene.ts';
import { until } from './namespaces.ts';
import { blockingCats, OTHER_RECORD } from './waf-events.ts';

const say = (line: string) => writeSync(1, `${line}\n`);
await using scene = await gatewayScene();
mkdirSync(scene.path);
execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', scene.path]);
const cats = blockingCats(scene, await scene.service('web'));
const theirs = join(scene.path, 'theirs');
/** Another program's file takes all the room there is. */
const fill = () => {
  try {
    for (;;) appendFileSync(theirs, Buffer.alloc(4096));
  } catch (error) {
    say((error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : String(error));
  }
};
const countedFrom = () => scene.waf.observed()?.counted_from;
try {
  await cats.serve();
  const since = countedFrom();
  fill();
  for (let sent = 0; sent < 300; sent += 1) await cats.block();
  const { sum } = await cats.collected(300);
  say(`${sum} of 300 events, counted from ${countedFrom() === since ? 'the beginning' : 'later'}`);

  const log = join(
    scene.path,
    'waf',
    readdirSync(join(scene.path, 'waf')).find((name) => name.startsWith('audit-')) ?? '',
  );
  const writeAll = () => {
    for (let written = 0; written < 2 * MAX_UNREAD_BYTES; written += OTHER_RECORD.length)
      appendFileSync(log, OTHER_RECORD);
  };
  scene.waf.stop(); // no agent is there
  try {
    writeAll();
  } catch {
    // that is what it is for
  }
  await until('the loss to be known', async () => {
    await scene.waf.read();
    return countedFrom() !== since;
  });
  say('beyond what was reserved: counted from later');
  rmSync(theirs);
  await cats.serve({ thresholds: { inbound: 9 } });
  await cats.block(); // behind a line that the disk had no room for the end of
  await cats.collected(1);
  const later = countedFrom();
  for (let sent = 0; sent < 10; sent += 1) await cats.block();
  const again = await cats.collected(10);
  say(`${again.sum} of 10 events once there is room, counted ${countedFrom() === later ? 'on' : 'from later'}`);
} finally {
  await scene.server.remove();
  execFileSync('umount', ['--lazy', scene.path]); // a look at a log may be under way
}
