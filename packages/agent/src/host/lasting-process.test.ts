import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { until } from '../../test/namespaces.ts';
import { LastingProcess } from './lasting-process.ts';
import { listedProcess } from './processes.ts';

const PROGRAM = `
  process.on('SIGUSR2', () => console.log('again'));
  if (process.argv[1] === 'stubborn') process.on('SIGTERM', () => console.log('no'));
  console.log('up');
  setInterval(() => undefined, 60_000);
`;

describe('a process that outlives the agent', { timeout: 60_000 }, () => {
  let folder: string;
  let losses: number;
  const opened: LastingProcess[] = [];

  /** What an agent knows of the program that runs with these arguments. */
  const agent = (args: readonly string[], command = process.execPath) => {
    const said: string[] = [];
    const lasting = new LastingProcess({
      program: 'the program',
      command,
      args,
      isIt: ({ argv: [first, ...given] }) => first === command && given.join('\0') === args.join('\0'),
      log: join(folder, 'log'),
      reader: { begin: () => said.splice(0), take: (text) => said.push(text) },
      lost: () => {
        losses += 1;
      },
    });
    opened.push(lasting);
    return { lasting, said: () => said.join('') };
  };
  const program = (kind: 'kind' | 'stubborn') => agent(['-e', PROGRAM, kind, folder]);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meshwork-lasting-'));
    losses = 0;
  });
  afterEach(async () => {
    for (const lasting of opened.splice(0)) await lasting.end(['SIGKILL']);
    await rm(folder, { recursive: true });
  });

  it('is read, signalled, and ended without that being a loss', async () => {
    const { lasting, said } = program('kind');
    assert.deepEqual([await lasting.pid(), await lasting.adopt()], [undefined, false]);
    const { pid } = await lasting.start();
    await until('it is up', async () => said() === 'up\n');
    await lasting.signal('SIGUSR2');
    await until('it heard the signal', async () => said() === 'up\nagain\n');
    assert.deepEqual([await lasting.pid(), await lasting.isOutdated()], [pid, false]);
    await lasting.end(['SIGTERM', 'SIGKILL']);
    assert.deepEqual([await lasting.pid(), losses], [undefined, 0]);
    await lasting.signal('SIGUSR2');
  });

  it('is taken over by the next agent, which also hears of its end', async () => {
    const { lasting: before } = program('kind');
    const { pid = assert.fail() } = await before.start();
    const { lasting: next, said } = program('kind');
    assert.equal(await next.adopt(), true);
    assert.equal(await next.pid(), pid);
    process.kill(pid, 'SIGKILL');
    await until('both know of its end', async () => losses === 2);
    assert.equal(await next.pid(), undefined);
    await next.start();
    await until('another one is up', async () => said().endsWith('up\n'));
    assert.equal(losses, 2);
  });

  it('is ended by force when it does not end by itself', async () => {
    const { lasting, said } = program('stubborn');
    const { pid = assert.fail() } = await lasting.start();
    await until('it is up', async () => said() === 'up\n');
    await lasting.end(['SIGTERM', 'SIGKILL']);
    assert.match(said(), /^up\nno\n$/); // asked once, and read to its end
    assert.deepEqual([await listedProcess(pid), losses], [undefined, 0]);
  });

  it('ends with what belongs to it', async () => {
    const [one, other] = [program('kind'), program('stubborn')];
    const pids = [await one.lasting.start(), await other.lasting.start()].map(({ pid }) => pid ?? assert.fail());
    const left = async () => (await Promise.all(pids.map(listedProcess))).flatMap((found) => found?.pid ?? []);
    await one.lasting.end(['SIGKILL'], left);
    assert.deepEqual(await left(), []);
  });

  it('is lost once, also when its end is known before its log ends', async () => {
    const { lasting } = program('kind');
    const child = await lasting.start();
    child.once('exit', () => lasting.ended(child.pid));
    child.kill('SIGKILL');
    await until('it is lost', async () => losses > 0);
    lasting.ended(child.pid);
    assert.equal(losses, 1);
  });

  it('is outdated when its program was replaced on the disk', async () => {
    const file = join(folder, 'sleep');
    await copyFile('/bin/sleep', file);
    const { lasting } = agent(['3600'], file);
    await lasting.start();
    assert.equal(await lasting.isOutdated(), false);
    await rm(file);
    assert.equal(await lasting.isOutdated(), true);
  });
});
