/**
 * The private keys of the node's certificates. They are made on this host and never leave it. All that is in the `tls/` folder
 * can be made anew from this file and the view; so it is on disk before anything that depends on it: before a request is
 * reported, and before a certificate comes into use.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { arrayOf, integer, object, string } from '@meshwork/contract/answers';
import { readPrivate, sweepDrafts, writeAtomically } from '../../host/atomic-file.ts';
import { messageOf } from '../../message-of.ts';

interface InUse {
  readonly private_key: string;
  /** PEM, as services read it. */
  readonly chain: string;
}

interface PendingRequest {
  readonly private_key: string;
  readonly request: string;
  /** The revision of the section that it was made for. */
  readonly revision: number;
  /** The fingerprint of a certificate that was of none of our keys, where it was made because of that. */
  readonly foreign?: string | undefined;
}

interface Held {
  readonly current?: InUse | undefined;
  readonly pending?: PendingRequest | undefined;
  /** Private keys, newest first: of certificates before, whose chain may be sent again, and of requests that were made anew. */
  readonly earlier: readonly string[];
}

const FILE = 'certificate-keys.json';
/** Ours. */
const MAX_EARLIER = 3;
const pending = object({ private_key: string, request: string, revision: integer, foreign: string }, ['foreign']);
const current = object({ private_key: string, chain: string });
const SHAPE = object({ version: integer, current, pending, earlier: arrayOf(string) }, ['current', 'pending']);

export class CertificateKeys {
  readonly #file: string;
  #held: Held = { earlier: [] };

  private constructor(folder: string) {
    this.#file = join(folder, FILE);
  }

  /** A file that makes no sense is set aside: the coordinator signs a new key, and services go on with what they have. */
  static async open(folder: string, warn: (problem: string) => void): Promise<CertificateKeys> {
    const keys = new CertificateKeys(folder);
    try {
      await sweepDrafts(keys.#file);
      keys.#held = read(await readPrivate(keys.#file)) ?? keys.#held;
    } catch (error) {
      const aside = `${keys.#file}.bad`;
      warn(`${keys.#file} cannot be used, and is set aside as ${aside}: ${messageOf(error)}`);
      await rename(keys.#file, aside).catch((failure: Error) => warn(`${aside}: ${failure.message}`));
    }
    return keys;
  }

  static async remove(folder: string): Promise<void> {
    await sweepDrafts(join(folder, FILE));
    for (const name of [FILE, `${FILE}.bad`]) await rm(join(folder, name), { force: true });
  }

  get current(): InUse | undefined {
    return this.#held.current;
  }

  get pending(): PendingRequest | undefined {
    return this.#held.pending;
  }

  /** The private key of a certificate. Undefined: it is of none that this node has. */
  keyOf(leaf: X509Certificate): string | undefined {
    const { current, pending, earlier } = this.#held;
    const keys = [pending?.private_key, current?.private_key, ...earlier].filter((key) => key !== undefined);
    return keys.find((key) => leaf.checkPrivateKey(createPrivateKey(key)));
  }

  /** An agent that lost what it remembered goes on with the pair that it finds in use, if it is one. Saved with the next change. */
  adopt({ private_key, chain }: { readonly [F in keyof InUse]: string | undefined }): void {
    if (this.#held.current !== undefined || private_key === undefined || chain === undefined) return;
    try {
      if (!new X509Certificate(chain).checkPrivateKey(createPrivateKey(private_key))) return;
    } catch {
      return; // neither: the coordinator signs a new one
    }
    this.#held = { ...this.#held, current: { private_key, chain } };
  }

  async use(next: InUse): Promise<void> {
    const { current, pending, earlier } = this.#held;
    if (current?.chain === next.chain && current.private_key === next.private_key) return;
    const isAnswer = pending?.private_key === next.private_key;
    const before = [current?.private_key, ...earlier].filter((key) => key !== undefined && key !== next.private_key);
    await this.#save({ current: next, pending: isAnswer ? undefined : pending, earlier: before as string[] });
  }

  /** A request that was under way gives way to this one. Its key is kept: it may be signed already. */
  async request(next: PendingRequest): Promise<void> {
    const { pending, earlier } = this.#held;
    const before = pending === undefined ? earlier : [pending.private_key, ...earlier];
    await this.#save({ ...this.#held, pending: next, earlier: before });
  }

  /** The node has no certificate now. `all`: and may have none, so that a request is void too. */
  async withdraw(extent: 'used' | 'all'): Promise<void> {
    const { current, pending, earlier } = this.#held;
    const kept = extent === 'all' ? undefined : pending;
    if (current === undefined && earlier.length === 0 && kept === pending) return;
    await this.#save({ pending: kept, earlier: [] });
  }

  async #save(held: Held): Promise<void> {
    const next = { ...held, earlier: held.earlier.slice(0, MAX_EARLIER) };
    await writeAtomically(this.#file, JSON.stringify({ version: 1, ...next }));
    this.#held = next;
  }
}

function read(text: string | undefined): Held | undefined {
  if (text === undefined) return undefined;
  const { version, ...held } = JSON.parse(text) as Held & { readonly version: number };
  const problem = SHAPE({ version, ...held }) ?? (version === 1 ? undefined : ' is of another version');
  if (problem !== undefined) throw new Error(`it has no keys of certificates in it:${problem}`);
  for (const key of [held.current?.private_key, held.pending?.private_key, ...held.earlier]) {
    if (key !== undefined) createPrivateKey(key);
  }
  return held;
}
