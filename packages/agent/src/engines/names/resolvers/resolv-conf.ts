import { lstat, readlink } from 'node:fs/promises';
import { isCode } from '../../../host/atomic-file.ts';
import { readBytes, replaceFile, sweepDrafts } from '../replace-file.ts';
import { withMesh, withoutMesh } from './resolv-text.ts';
import { RESOLV_CONF, type ResolverSetup, type ResolverWay } from './resolver-way.ts';

/** The file itself, where no program manages it. */
export class ResolvConf implements ResolverWay {
  readonly name: string;
  readonly file: string;
  #swept = false;

  constructor(path: string = RESOLV_CONF) {
    this.name = path;
    this.file = path;
  }

  /** A link leads to what another program writes anew whenever it likes. */
  async unusable(): Promise<string | undefined> {
    try {
      const found = await lstat(this.file);
      return found.isSymbolicLink() ? `it is a link to ${await readlink(this.file)}` : undefined;
    } catch (error) {
      if (isCode(error, 'ENOENT')) return 'there is no such file';
      throw error;
    }
  }

  async apply({ addresses: [server = ''] }: ResolverSetup): Promise<void> {
    await this.#write((text) => withMesh(text, server));
  }

  async remove(): Promise<void> {
    if ((await this.unusable()) === undefined) await this.#write(withoutMesh);
  }

  /** Nothing is written when nothing changes: others watch this file. */
  async #write(change: (text: string) => string): Promise<void> {
    if (!this.#swept) await sweepDrafts(this.file); // of an agent before this one
    this.#swept = true;
    const text = await readBytes(this.file);
    const changed = change(text);
    if (changed !== text) await replaceFile(this.file, changed);
  }
}
