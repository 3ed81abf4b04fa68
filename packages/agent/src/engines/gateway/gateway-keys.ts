/**
 * The private key behind what a gateway shows to clients: one for all its ingresses, made on this host, which it never leaves.
 * It is on disk before its request is reported. After 90 days another one takes over; the one before stays until no
 * certificate is for it, so that an ingress is never without.
 */
import { createPrivateKey, type KeyObject, type X509Certificate } from 'node:crypto';
import { chmod, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { arrayOf, integer, object, string } from '@meshwork/contract/answers';
import type { MadeRequest } from '../../certificate-requests/make-request.ts';
import { checkChain, readChain } from '../../certificate-requests/sound-chain.ts';
import { isCode, readPrivate, sweepDrafts, writeAtomically } from '../../host/atomic-file.ts';
import { InTurn } from '../../host/in-turn.ts';
import { messageOf } from '../../message-of.ts';

interface GatewayKeysOptions {
  /** A private one. */
  readonly folder: string;
  readonly now: () => number;
  readonly makeRequest: () => Promise<MadeRequest>;
  /** Something that an operator should know, and that ends nothing. */
  readonly warn: (problem: string) => void;
}

interface KeptKey extends MadeRequest {
  readonly made_at_ms: number;
}

interface HeldKey extends KeptKey {
  readonly key: KeyObject;
}

const FILE = 'gateway-keys.json';
const SHAPE = object({
  version: integer,
  keys: arrayOf(object({ private_key: string, request: string, made_at_ms: integer })),
});
const DAY_MS = 86_400_000;
/** Ours, as are the two below. */
const LIFE_MS = 90 * DAY_MS;
/** A certificate for the key before may be on its way for so long. */
const GRACE_MS = DAY_MS;
/** However often a clock jumps. */
const MAX_KEYS = 4;

export class GatewayKeys {
  readonly #options: GatewayKeysOptions;
  readonly #file: string;
  readonly #changes = new InTurn();
  /** Newest first. Undefined: not read yet. */
  #keys: readonly HeldKey[] | undefined;

  constructor(options: GatewayKeysOptions) {
    this.#options = options;
    this.#file = join(options.folder, FILE);
  }

  /** Never rejects: what cannot be read now is tried again when a key is needed, which then says why. */
  async open(): Promise<void> {
    await this.#changes.take(() => this.#load()).catch((error: unknown) => this.#options.warn(messageOf(error)));
  }

  /**
   * Makes a key if there is none, or if the newest is too old. Keys before it go when they are for none of `chains`: all that
   * ingresses have now. Absent: that is not known, and none goes.
   */
  async ensure(chains?: readonly string[]): Promise<void> {
    await this.#changes.take(async () => {
      const keys = await this.#load();
      const isFresh = keys[0] !== undefined && this.#options.now() - keys[0].made_at_ms < LIFE_MS;
      const all = isFresh ? keys : [await this.#newKey(), ...keys];
      const kept = this.#worthKeeping(all, chains);
      if (kept.length !== keys.length || kept[0] !== keys[0]) await this.#save(kept);
    });
  }

  /** For certificates of the newest key, in PEM. Undefined: there is none yet. */
  get request(): string | undefined {
    return this.#keys?.[0]?.request;
  }

  /**
   * The certificates of a chain with the private key that they are for, as nginx reads them. A secret. Undefined: it is for
   * none of the keys, or is no chain.
   */
  pemFor(chain: string): string | undefined {
    const read = readSound(chain);
    const held = read && keyOf(read.leaf, this.#keys ?? []);
    return read && held && read.text + held.private_key;
  }

  async remove(): Promise<void> {
    await this.#changes.take(async () => {
      await sweepDrafts(this.#file).catch(unlessGone);
      for (const file of [this.#file, this.#aside]) await rm(file, { force: true, recursive: true });
      this.#keys = [];
    });
  }

  get #aside(): string {
    return `${this.#file}.bad`;
  }

  async #load(): Promise<readonly HeldKey[]> {
    if (this.#keys !== undefined) return this.#keys;
    await sweepDrafts(this.#file).catch(unlessGone);
    try {
      this.#keys = read(await readPrivate(this.#file));
    } catch (error) {
      // The disk may be back with the next try. What has others' marks on it, or makes no sense, never will be of use.
      if (isOfSystem(error)) throw error;
      await this.#setAside(error);
      this.#keys = [];
    }
    return this.#keys;
  }

  /** Ingresses go on with what nginx has; the coordinator signs for the new key. */
  async #setAside(error: unknown): Promise<void> {
    this.#options.warn(`${this.#file} cannot be used, and is set aside as ${this.#aside}: ${messageOf(error)}`);
    await rename(this.#file, this.#aside);
    await chmod(this.#aside, 0o600);
  }

  async #newKey(): Promise<HeldKey> {
    const { private_key, request } = await this.#options.makeRequest();
    return { private_key, request, made_at_ms: this.#options.now(), key: createPrivateKey(private_key) };
  }

  #worthKeeping(keys: readonly HeldKey[], chains: readonly string[] | undefined): readonly HeldKey[] {
    const [newest, ...earlier] = keys;
    if (newest === undefined) return keys;
    const isSettled = this.#options.now() - newest.made_at_ms >= GRACE_MS;
    if (chains === undefined || !isSettled) return keys.slice(0, MAX_KEYS);
    const leaves = chains.flatMap((chain) => readSound(chain)?.leaf ?? []);
    const used = new Set(leaves.map((leaf) => keyOf(leaf, keys)));
    return [newest, ...earlier.filter((key) => used.has(key))];
  }

  async #save(keys: readonly HeldKey[]): Promise<void> {
    const kept = keys.map(({ private_key, request, made_at_ms }) => ({ private_key, request, made_at_ms }));
    await writeAtomically(this.#file, JSON.stringify({ version: 1, keys: kept }));
    this.#keys = keys;
  }
}

function read(text: string | undefined): readonly HeldKey[] {
  if (text === undefined) return [];
  const content = parsed(text) as { readonly version: number; readonly keys: readonly KeptKey[] };
  const problem = SHAPE(content) ?? (content.version === 1 ? undefined : ' is of another version');
  if (problem !== undefined) throw new Error(`it has no keys of a gateway in it:${problem}`);
  return content.keys.map((kept) => ({ ...kept, key: createPrivateKey(kept.private_key) }));
}

/** Not with the words of the parser, which repeats what it stumbled over: that may be a part of a key. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
}

/** When a certificate begins and ends is not looked at: the clock of this host may be wrong, and the coordinator decides. */
function readSound(text: string): ReturnType<typeof readChain> | undefined {
  try {
    const chain = readChain(text);
    checkChain(chain, []);
    return chain;
  } catch {
    return undefined; // nginx would refuse its whole configuration with it
  }
}

function keyOf(leaf: X509Certificate, keys: readonly HeldKey[]): HeldKey | undefined {
  return keys.find(({ key }) => leaf.checkPrivateKey(key));
}

/** And not of what is in the file: `readPrivate` wraps both. */
function isOfSystem(error: unknown): boolean {
  const { cause } = error as Error;
  return cause instanceof Error && 'code' in cause;
}

function unlessGone(error: unknown): void {
  if (!isCode(error, 'ENOENT')) throw error;
}
