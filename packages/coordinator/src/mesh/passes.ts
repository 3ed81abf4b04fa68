/**
 * Passes: what a gateway knows by that a person has signed in at the panel. Signed by a key that follows from the data key of the
 * installation, so that every coordinator makes the same and no gateway can make one. The hash in it is of a secret that only the browser
 * has: a pass that was read along the way is of no use (docs/decisions/0083).
 */
import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import type { DataKeys } from './data-keys.ts';
import type { View } from './model.ts';

interface PassClaims {
  readonly ingress: string;
  readonly hostname: string;
  readonly person: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly state: string;
  readonly made_ms: number;
}

/** How long a gateway takes a pass from a browser that comes with one. */
export const PASS_S = 60;
/** Ours: by so much the clocks of coordinators may differ. A pass from before an end is never taken for one from after it. */
const CLOCKS_APART_MS = 5000;
/** What fits into a cookie of 4 KiB with the rest. */
const MAX_GROUP_CHARACTERS = 1500;

/** What stands before an Ed25519 key of 32 bytes (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

export class Passes {
  readonly #data_keys: DataKeys;
  readonly #pairs = new WeakMap<object, { readonly signing: KeyObject; readonly public_key: string }>();

  constructor(data_keys: DataKeys) {
    this.#data_keys = data_keys;
  }

  /** Those that gateways believe, newest first. Older ones are of data keys that were replaced lately. */
  publicKeys(): string[] {
    return this.#data_keys.all().map(({ key }) => this.#pairOf(key).public_key);
  }

  make(claims: PassClaims): string {
    const [newest] = this.#data_keys.all();
    if (newest === undefined) throw new Error('There is no key that passes are signed by.');
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    const signature = sign(null, Buffer.from(payload), this.#pairOf(newest.key).signing);
    return `${payload}.${signature.toString('base64url')}`;
  }

  #pairOf(key: KeyObject) {
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const seed = createHmac('sha256', key).update('passes into ingresses').digest();
    const signing = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
    const { x = '' } = createPublicKey(signing).export({ format: 'jwk' });
    const pair = { signing, public_key: x };
    this.#pairs.set(key, pair);
    return pair;
  }
}

/** When a pass is made for a person: never before what ended the ones from before. */
export function madeAt(view: View, person: string, now_ms: number): number {
  return Math.max(now_ms, (view.get('entry_end', person)?.body.at_ms ?? 0) + 1);
}

/** From when on passes of a person count again. */
export function endedAt(now_ms: number): number {
  return now_ms + CLOCKS_APART_MS;
}

/** Those that the ingress asks about come first, and then as many of the others as have room. */
export function groupsInPass(groups: readonly string[], asked: readonly string[]): string[] {
  const first = groups.filter((group) => asked.includes(group));
  const kept: string[] = [];
  let room = MAX_GROUP_CHARACTERS;
  for (const group of new Set([...first, ...groups])) {
    room -= group.length + 3;
    if (room >= 0) kept.push(group);
  }
  return kept;
}
