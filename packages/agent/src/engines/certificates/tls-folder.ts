/**
 * What services of this host read, in the agent's state folder:
 *
 *   tls/current            a link to the generation in use
 *   tls/current/key.pem    the private key of the node
 *   tls/current/cert.pem   its certificate, and the intermediate that signed it
 *   tls/current/ca.pem     the roots to trust
 *   tls/current/crl.pem    all revocation lists
 *   tls/g-<number>/        the generations: that one, and the few before it
 *
 * A generation is written whole and on disk before the link leads to it, and never changes after that. A program that reads
 * the link once (`realpath tls/current`) and opens its files there finds a key and a certificate that belong together,
 * whatever happens meanwhile. One that opens `current/cert.pem` and then `current/key.pem` may meet the moment between two
 * generations; it is reloaded after each change (`reloads.ts`), and reads them again.
 *
 * A file that would have nothing in it is not there, and without any file there is no link.
 */
import { lstat, mkdir, readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isCode } from '../../host/atomic-file.ts';
import { dropGenerations, generationsIn, switchLink, writeGeneration } from './generations.ts';
import { accessFault, accessFor, allow, type TlsAccess, unwritable } from './tls-access.ts';

const TLS_FILES = ['key.pem', 'cert.pem', 'ca.pem', 'crl.pem'] as const;
type TlsFile = (typeof TLS_FILES)[number];
/** Text by file. Absent: there is no such file. */
export type TlsContent = { readonly [F in TlsFile]?: string };

/** The place of a generation that is there for want of any. */
export const NO_GENERATION = 'none';

interface TlsFolderOptions {
  readonly path: string;
  readonly group: string | undefined;
  readonly now: () => number;
  /** group(5). */
  readonly groups: string;
}

export class TlsFolder {
  readonly path: string;
  /** The link. */
  readonly current: string;
  readonly #options: TlsFolderOptions;

  constructor(options: TlsFolderOptions) {
    this.#options = options;
    this.path = options.path;
    this.current = join(options.path, 'current');
  }

  /** Makes the folder, and lets those read who may: also what is in use already. */
  async prepare(): Promise<TlsAccess> {
    const access = await accessFor(this.#options.group, this.#options.groups);
    try {
      await mkdir(this.path, { recursive: true, mode: 0o700 });
      await allow(dirname(this.path), { ...access, mode: access.state_folder });
      await allow(this.path, { ...access, mode: access.folder });
    } catch (error) {
      throw isSystems(error) ? unwritable(this.path, error) : error;
    }
    return access;
  }

  /** What services find now. */
  async read(): Promise<TlsContent> {
    const texts = TLS_FILES.map(async (name) => [name, await textOf(join(this.current, name))] as const);
    return Object.fromEntries((await Promise.all(texts)).filter(([, text]) => text !== undefined));
  }

  /** Makes this what services find, and proves it. Answers with the generation that it is in. */
  async put(content: TlsContent): Promise<string> {
    const access = await this.prepare();
    try {
      const inUse = await this.#inUse();
      if (inUse !== undefined) await this.#allowGeneration(inUse, access);
      if ((await this.fault(content)) !== null) await this.#replace(content, access);
      await dropGenerations(this.path, { inUse: await this.#inUse(), keys: content['key.pem'] !== undefined });
    } catch (error) {
      throw isSystems(error) ? unwritable(this.path, error) : error;
    }
    const fault = await this.fault(content);
    if (fault !== null) throw new Error(`${fault}, right after it was written`);
    return (await this.#inUse()) ?? NO_GENERATION;
  }

  /** How what is there differs from this, in words. Null: it does not. */
  async fault(content: TlsContent): Promise<string | null> {
    const access = await accessFor(this.#options.group, this.#options.groups);
    const folders = [
      [dirname(this.path), access.state_folder],
      [this.path, access.folder],
    ] as const;
    for (const [path, mode] of folders) {
      const fault = await orGone(accessFault(path, { ...access, mode }));
      if (fault !== null) return `${path} ${fault}`;
    }
    const inUse = await this.#inUse();
    if (isEmpty(content)) return (await exists(this.current)) ? `${this.current} is there` : null;
    if (inUse === undefined) return `${this.current} does not lead to a generation of the agent`;
    return await this.#generationFault(inUse, content, access);
  }

  async generations(): Promise<number> {
    return (await generationsIn(this.path)).length;
  }

  async #generationFault(name: string, content: TlsContent, access: TlsAccess): Promise<string | null> {
    const folder = join(this.path, name);
    const fault = await orGone(accessFault(folder, { ...access, mode: access.folder }));
    if (fault !== null) return `${folder} ${fault}`;
    const unknown = (await readdir(folder)).find((file) => content[file as TlsFile] === undefined);
    if (unknown !== undefined) return `${join(folder, unknown)} is not the agent's`;
    for (const [file, text] of Object.entries(content)) {
      const path = join(folder, file);
      const isAsWritten = (await regularText(path)) === text;
      if (!isAsWritten) return `${path} is not as it was written`;
      const found = await orGone(accessFault(path, { ...access, mode: modeOf(file, access) }));
      if (found !== null) return `${path} ${found}`;
    }
    return null;
  }

  async #replace(content: TlsContent, access: TlsAccess): Promise<void> {
    if (isEmpty(content)) return await switchLink(this.current, undefined);
    const newest = Math.max(0, ...(await generationsIn(this.path)));
    const generation = `g-${Math.max(this.#options.now(), newest + 1)}`; // never one that was there before
    await writeGeneration(join(this.path, generation), content, {
      finish: (path, file) =>
        allow(path, { ...access, mode: file === undefined ? access.folder : modeOf(file, access) }),
    });
    await switchLink(this.current, generation);
  }

  /** In place: what services read is the same, and need not be read again. */
  async #allowGeneration(name: string, access: TlsAccess): Promise<void> {
    const folder = join(this.path, name);
    await allow(folder, { ...access, mode: access.folder });
    for (const file of await readdir(folder)) {
      const path = join(folder, file);
      if ((await lstat(path)).isFile()) await allow(path, { ...access, mode: modeOf(file, access) });
    }
  }

  /** Undefined: there is no link, or it leads elsewhere. */
  async #inUse(): Promise<string | undefined> {
    const target = await readlink(this.current).catch((error: unknown) => {
      if (['ENOENT', 'EINVAL', 'ENOTDIR'].some((code) => isCode(error, code))) return '';
      throw error;
    });
    if (!/^g-\d+$/.test(target)) return undefined;
    const found = await lstat(join(this.path, target)).catch(() => undefined);
    return found?.isDirectory() ? target : undefined;
  }
}

function modeOf(file: string, { key, open }: TlsAccess): number {
  return file === 'key.pem' ? key : open;
}

function isEmpty(content: TlsContent): boolean {
  return Object.keys(content).length === 0;
}

/** Not what a link leads to: that could be anything. */
async function regularText(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isFile() ? await textOf(path) : undefined;
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR'].some((code) => isCode(error, code))) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isCode(error, 'ENOENT')) return false;
      throw error;
    },
  );
}

async function orGone(look: Promise<string | null>): Promise<string | null> {
  return await look.catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return 'is gone';
    throw error;
  });
}

function isSystems(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
