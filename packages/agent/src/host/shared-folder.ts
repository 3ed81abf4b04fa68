import { randomBytes } from 'node:crypto';
import { access, chmod, chown, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DRAFT_SUFFIX, isCode, reasonOf } from './atomic-file.ts';

const PASSWD = '/etc/passwd';

interface User {
  readonly uid: number;
  readonly gid: number;
}

interface SharedFolderOptions {
  readonly path: string;
  /** Who runs the program that it is shared with. */
  readonly user: string;
  /** Why there is no such user, in words: its package is not installed, and how that is done. */
  readonly no_user: string;
  /** What to do when the agent may not give files to others. */
  readonly not_permitted: string;
}

/**
 * What the agent and a program share that it runs. The agent owns it, and the program, which runs as a user that may do nothing else,
 * reads it. Not in the agent's state folder, which no other user may enter.
 */
export class SharedFolder {
  readonly path: string;
  readonly #options: SharedFolderOptions;
  /** As it was when the folder was last prepared. */
  #program_user: User | undefined;

  constructor(options: SharedFolderOptions) {
    this.path = options.path;
    this.#options = options;
  }

  file(name: string): string {
    return join(this.path, name);
  }

  /** Makes it, when it is not there. Answers with who runs the program. */
  async prepare(): Promise<User> {
    this.#program_user = undefined;
    const user = await this.#user();
    await this.#trying(async () => {
      await mkdir(this.path, { recursive: true, mode: 0o750 });
      await this.#give(this.path, user.gid, 0o750);
    });
    return user;
  }

  /** Makes a folder in it, when it is not there. `private`: the program may not enter it. */
  async folder(name: string, access: 'shared' | 'private' = 'shared'): Promise<void> {
    const { gid } = await this.#user();
    await this.#trying(async () => {
      await mkdir(this.file(name), { recursive: true, mode: 0o700 });
      await this.#give(this.file(name), gid, access === 'shared' ? 0o750 : 0o700);
    });
  }

  async isThere(): Promise<boolean> {
    return await this.has('.');
  }

  async has(name: string): Promise<boolean> {
    return await access(this.file(name)).then(
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

  /** Names in a folder of it. */
  async names(folder: string): Promise<readonly string[]> {
    try {
      return await readdir(this.file(folder));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return [];
      throw error;
    }
  }

  /** Whole or not at all, and readable for the program. Answers whether it was another. */
  async write(name: string, text: string): Promise<boolean> {
    if ((await this.read(name)) === text) return false;
    const { gid } = await this.#user();
    const draft = this.file(`${name}.${randomBytes(8).toString('hex')}${DRAFT_SUFFIX}`);
    await this.#trying(async () => {
      try {
        const handle = await open(draft, 'wx', 0o600);
        try {
          await handle.writeFile(text);
          await this.#give(draft, gid, 0o640);
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
  async own(name: string, access: 'read by the program' | 'written by both' = 'read by the program'): Promise<void> {
    const { gid } = await this.#user();
    await this.#trying(async () => {
      const handle = await open(this.file(name), 'a', 0o600);
      await handle.close();
      await this.#give(this.file(name), gid, access === 'written by both' ? 0o660 : 0o640);
    });
  }

  /** A socket of the agent: the program may connect to it. */
  async lend(name: string): Promise<void> {
    const { gid } = await this.#user();
    await this.#trying(() => this.#give(this.file(name), gid, 0o660));
  }

  async delete(name: string): Promise<void> {
    await this.#trying(() => rm(this.file(name), { force: true }));
  }

  /** With all that is in it. A folder that systemd made for the service goes with the service, and is left empty. */
  async remove(): Promise<void> {
    for (const name of await this.names('.')) await rm(this.file(name), { recursive: true, force: true });
    await rmdir(this.path).catch((error: unknown) => {
      if (!['ENOENT', 'EROFS', 'EBUSY', 'EPERM', 'EACCES'].some((code) => isCode(error, code))) throw error;
    });
  }

  async #give(path: string, gid: number, mode: number): Promise<void> {
    await chown(path, process.geteuid?.() ?? 0, gid);
    await chmod(path, mode);
  }

  async #trying(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const remedy = isCode(error, 'EPERM') ? ` ${this.#options.not_permitted}` : '';
      throw new Error(`${this.path} cannot be written: ${reasonOf(error)}.${remedy}`, { cause: error });
    }
  }

  /** Looked up whenever the folder is prepared: the package may be installed while the agent runs. */
  async #user(): Promise<User> {
    if (this.#program_user !== undefined) return this.#program_user;
    const rows = (await readFile(PASSWD, 'utf8')).split('\n').map((line) => line.split(':'));
    const [, , uid, gid] = rows.find(([name]) => name === this.#options.user) ?? [];
    if (uid === undefined || gid === undefined) throw new Error(this.#options.no_user);
    this.#program_user = { uid: Number(uid), gid: Number(gid) };
    return this.#program_user;
  }
}
