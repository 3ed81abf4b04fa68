/** Installs Debian packages without starting the services that some of them bring. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PackageManager {
  /** `apt-get`, or where it is. */
  readonly aptGet: string;
  /** Debian asks this script whether a service may be started: /usr/sbin/policy-rc.d. */
  readonly servicePolicy: string;
  readonly write: (text: string) => void;
}

/** Where packages are unpacked that are not to be installed, each in a folder of its name. */
export const UNPACKED = '/var/cache/meshwork-tests';

/** Another apt may be running; this long it may keep us waiting. Our number. */
const LOCK_TIMEOUT_S = 300;

const NO_SERVICES = `#!/bin/sh
# Written by Meshwork's tests while they install packages, and removed afterwards: start no services.
exit 101
`;

/** Returns whether it worked; when it did not, what apt said has been written. */
export async function installPackages(names: readonly string[], manager: PackageManager): Promise<boolean> {
  manager.write(`installing ${names.join(', ')} with apt-get\n`);
  using _ = withoutServices(manager.servicePolicy);
  return (
    (await runApt(manager, ['update'])) &&
    (await runApt(manager, ['install', '-y', '--no-install-recommends', ...names]))
  );
}

/** Fetches packages and unpacks their files, without installing them. */
export async function unpackPackages(names: readonly string[], manager: PackageManager): Promise<boolean> {
  manager.write(`unpacking ${names.join(', ')} below ${UNPACKED}\n`);
  if (!(await runApt(manager, ['update']))) return false;
  mkdirSync(UNPACKED, { recursive: true });
  for (const name of names) {
    const folder = mkdtempSync(join(tmpdir(), 'mesh-unpack-'));
    try {
      if (!(await runApt(manager, ['download', name], folder))) return false;
      const files = readdirSync(folder);
      const draft = mkdtempSync(join(UNPACKED, '.draft-'));
      const command = ['dpkg-deb', '-x', join(folder, files[0] ?? ''), draft];
      if (!(await runProgram(manager, { what: command.join(' '), command }))) return false;
      rmSync(join(UNPACKED, name), { recursive: true, force: true });
      renameSync(draft, join(UNPACKED, name));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return true;
}

/** A policy that is already there stays as it is, and so does what it decides. */
function withoutServices(path: string): Disposable {
  try {
    writeFileSync(path, NO_SERVICES, { mode: 0o755, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // One of ours was left behind by a run that was killed: it goes the same way.
    if (readFileSync(path, 'utf8') !== NO_SERVICES) return { [Symbol.dispose]: () => {} };
  }
  return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
}

function runApt(manager: PackageManager, args: readonly string[], folder?: string): Promise<boolean> {
  const command = [manager.aptGet, '-o', `DPkg::Lock::Timeout=${LOCK_TIMEOUT_S}`, ...args];
  return runProgram(manager, { what: `apt-get ${args.join(' ')}`, command, folder });
}

async function runProgram(
  { write }: PackageManager,
  { what, command, folder }: { what: string; command: readonly string[]; folder?: string | undefined },
): Promise<boolean> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    ...(folder === undefined ? {} : { cwd: folder }),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  let output = '';
  const keep = (text: string) => {
    output += text;
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);

  // Interrupting us must not leave the service policy behind: apt gets the signal, ends, and we clean up.
  const forward = (signal: NodeJS.Signals) => void child.kill(signal);
  process.on('SIGINT', forward).on('SIGTERM', forward);
  const ending = await new Promise<string | undefined>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? undefined : `it ended with ${signal ?? code}`));
  });
  process.off('SIGINT', forward).off('SIGTERM', forward);

  if (ending !== undefined) write(`${output}${what} failed: ${ending}\n`);
  return ending === undefined;
}
