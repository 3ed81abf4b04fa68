/**
 * Runs one throw-away PostgreSQL server for a test, as a program of its own: when the test ends or dies, the channel
 * between the two closes, and the server and its folder go. A killed test could clean up nothing.
 *
 * Argument: an empty folder that the server may have for itself.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chown, readdir, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export type KeeperRequest = 'start' | 'stop' | 'crash';
export type KeeperReply = { readonly failure?: string };

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const run = promisify(execFile);
const SETTINGS = {
  listen_addresses: '',
  shared_buffers: '16MB',
  fsync: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
};

const folder = process.argv[2];
if (folder === undefined || process.send === undefined) throw new Error('started by postgres-server.ts, with a folder');
const data = join(folder, 'data');
const work: Record<KeeperRequest, () => Promise<void>> = {
  start,
  stop: () => end('SIGINT'),
  // As after a power cut nothing is tidied up or written, and the next start recovers from the log. Unlike kill -9 it
  // takes the server's children along, which no one else might reap.
  crash: () => end('SIGQUIT'),
};

let server: ChildProcess | undefined;
let busy: Promise<unknown> = Promise.resolve();

// Ctrl-C in a terminal reaches the whole group; the closing channel is what ends this program.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
process.on('message', (request: KeeperRequest) => {
  busy = busy.then(work[request]).then(
    () => process.send?.({}),
    (error) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', async () => {
  await busy;
  await end('SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

async function start(): Promise<void> {
  const bin = await findBinaries();
  const account = await serverAccount();
  if ((await namesIn(data)).length === 0) await initialise(bin, account);
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', data, '-k', folder ?? '', ...settings], {
    ...account,
    cwd: folder,
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  server = child;
  await ready(child);
}

/** Rejects with what the server said when it ended instead. */
function ready(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    if (log.includes('ready to accept connections')) resolve();
  });
  child.once('error', reject);
  child.once('exit', () => reject(new Error(`PostgreSQL ended: ${log}`)));
  return promise;
}

async function end(signal: NodeJS.Signals): Promise<void> {
  const child = server;
  server = undefined;
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill(signal);
  await promise;
}

async function initialise(bin: string, account: Account): Promise<void> {
  if (account.uid !== undefined && account.gid !== undefined) await chown(folder ?? '', account.uid, account.gid);
  const args = ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  await run(join(bin, 'initdb'), args, { ...account, cwd: folder, env: { LC_ALL: 'C' } });
}

/** PostgreSQL refuses to run as root. */
async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const number = async (option: string) => Number((await run('id', [option, 'postgres'])).stdout);
  return { uid: await number('-u'), gid: await number('-g') };
}

async function findBinaries(): Promise<string> {
  const debian = '/usr/lib/postgresql';
  const versions = (await namesIn(debian)).sort((a, b) => Number(b) - Number(a));
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...versions.map((name) => join(debian, name, 'bin'))];
  for (const candidate of folders) {
    const names = await namesIn(candidate);
    if (names.includes('postgres') && names.includes('initdb')) return candidate;
  }
  throw new Error(`no PostgreSQL server found on the path or under ${debian}; install the package postgresql`);
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  }
}
