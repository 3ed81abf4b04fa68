import { randomBytes } from 'node:crypto';
import { access, chmod, chown, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT_SUFFIX, isCode, reasonOf } from '../../host/atomic-file.ts';
import { RELAY_USER } from './turn-config.ts';

const PASSWD = '/etc/passwd';
const NOT_INSTALLED = 'coturn is not installed on this host: apt-get install coturn';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/**
 * What the agent and coturn share. The agent owns it, and coturn, which runs as a user that may do nothing else, reads it. Not in the
 * agent's state folder, which no other user may enter.
 */
export class RelayFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Makes it, when it is not there. Answers with who runs coturn. */
  async prepare(): Promise<User> {
    const user = await relayUser();
    await this.#trying(async () => {
      await mkdir(this.path, { recursive: true, mode: 0o750 });
      await chown(this.path, process.geteuid?.() ?? 0, user.gid);
      await chmod(this.path, 0o750);
    });
    return user;
  }

  async isThere(): Promise<boolean> {
    return await access(this.path).then(
      () => true,
      () => false,
    );
  }

  /** Undefined: there is none. */
  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.file(name), 'utf8');
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Whole or not at all, and readable for coturn. Answers whether it was another. */
  async write(name: string, text: string): Promise<boolean> {
    if ((await this.read(name)) === text) return false;
    const draft = this.file(`${name}.${randomBytes(8).toString('hex')}${DRAFT_SUFFIX}`);
    await this.#trying(async () => {
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(text);
          await this.#give(draft);
        } finally {
          await handle.close();
        }
        await rename(draft, this.file(name));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    });
    return true;
  }

  /** A file that is written in place: makes it empty, when it is not there. */
  async own(name: string): Promise<void> {
    await this.#trying(async () => {
      const handle = await open(this.file(name), 'a', 0o600);
      await handle.close();
      await this.#give(this.file(name));
    });
  }

  /** With all that is in it. A folder that systemd made for the service goes with the service, and is left empty. */
  async remove(): Promise<void> {
    const names = await readdir(this.path).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    });
    for (const name of names) await rm(this.file(name), { recursive: true, force: true });
    await rmdir(this.path).catch((error: unknown) => {
      if (!['ENOENT', 'EROFS', 'EBUSY', 'EPERM', 'EACCES'].some((code) => isCode(error, code))) throw error;
    });
  }

  async #give(path: string): Promise<void> {
    await chown(path, process.geteuid?.() ?? 0, (await relayUser()).gid);
    await chmod(path, 0o640);
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const remedy = isCode(error, 'EPERM') ? ' The agent runs a relay only with the capabilities of relay.conf.' : '';
      throw new Error(`${this.path} cannot be written: ${reasonOf(error)}.${remedy}`, { cause: error });
    }
  }
}

/** Looked up each time: the package may be installed while the agent runs. */
async function relayUser(): Promise<User> {
  const rows = (await readFile(PASSWD, 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] = rows.find(([name]) => name === RELAY_USER) ?? [];
  if (uid === undefined || gid === undefined) throw new Error(NOT_INSTALLED);
  return { uid: Number(uid), gid: Number(gid) };
}
