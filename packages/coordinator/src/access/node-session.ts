import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type NodeId, SESSION_S, utc } from '@meshwork/contract';
import { isSameBytes, type MasterKey } from '@meshwork/service';
import { ANONYMOUS, type NodeActor } from '../mesh/actor.ts';
import type { DataKey } from '../mesh/data-keys.ts';
import type { View } from '../mesh/model.ts';
import { bearerOf, Refused } from './authenticate.ts';

/** `meshnode_<node>.<epoch>.<expires>.<mac>`: what it says is in the open, and the MAC makes it true. */
const FORM = /^meshnode_([0-9a-z]{26})\.([0-9a-z]{1,11})\.([0-9a-z]{1,9})\.[A-Za-z0-9_-]{43}$/;
const MAC_LENGTH = 43;
/** Where the node's id ends, in characters that are random. */
const SLOT = { from: 'meshnode_'.length + 20, to: 'meshnode_'.length + 26 };

interface Session {
  readonly node: NodeId;
  readonly epoch: number;
  readonly expires_ms: number;
}

interface Genuine {
  readonly slot: number;
  readonly bearer: Buffer;
  readonly session: Session;
  actor: NodeActor;
}

/**
 * The sessions of nodes: bearers that any coordinator of the mesh can check without I/O, because they are signed with a
 * key that follows from that of the installation. A session ends with its hour, and at once when the node's epoch moves on.
 */
export class NodeSessions {
  readonly #keys: () => readonly DataKey[];
  /** What sessions are signed with, by what it is derived from. */
  readonly #derived = new WeakMap<MasterKey, KeyObject>();
  /**
   * The last bearer of each node that was found genuine: the next heartbeat brings the same. By a number, because a text
   * that has just come in has to be hashed and looked for among all texts before a map can be asked for it. Where two nodes
   * have one number, the later one stands there, and the other is checked anew.
   */
  readonly #genuine = new Map<number, Genuine>();

  /** `keys`: the one in use first. */
  constructor(keys: () => readonly DataKey[]) {
    this.#keys = keys;
  }

  open(node: NodeId, epoch: number, now_ms: number): { readonly bearer: string; readonly expires: string } {
    const expires_s = Math.floor(now_ms / 1000) + SESSION_S;
    const said = `meshnode_${node.slice('node_'.length)}.${epoch.toString(36)}.${expires_s.toString(36)}`;
    const [in_use] = this.#keys();
    if (in_use === undefined) throw new Error('There is no key to sign sessions with.');
    return { bearer: `${said}.${this.#mac(said, in_use.key)}`, expires: utc(expires_s * 1000) };
  }

  /** Finds out which node sends a request. Throws `Refused` when it is none. */
  authenticate(view: View, authorization: string | undefined, now_ms: number): NodeActor {
    if (authorization === undefined) {
      throw new Refused(ANONYMOUS, 'credentials_missing', 'Send the session as "Authorization: Bearer meshnode_…".');
    }
    const genuine = this.#genuineSession(bearerOf(authorization), now_ms);
    const { session, actor } = genuine;
    const current = this.#current(view, genuine);
    if (now_ms >= session.expires_ms) {
      throw new Refused(current, 'session_expired', `The session expired at ${utc(session.expires_ms)}.`);
    }
    if (current !== actor) genuine.actor = current;
    return current;
  }

  /** A session that was ended is not worth remembering. */
  #current(view: View, { slot, session, actor }: Genuine): NodeActor {
    try {
      return currentActor(view, session.node, session.epoch, actor);
    } catch (error) {
      this.#genuine.delete(slot);
      throw error;
    }
  }

  #genuineSession(bearer: string, now_ms: number): Genuine {
    const slot = slotOf(bearer);
    const before = this.#genuine.get(slot);
    if (before !== undefined && isSame(bearer, before.bearer)) return before;
    const parts = FORM.exec(bearer);
    if (parts === null) throw unknownSession();
    const node = `node_${parts[1]}` as NodeId;
    const said = bearer.slice(0, -1 - MAC_LENGTH);
    if (!this.#isSigned(said, Buffer.from(bearer.slice(-MAC_LENGTH)), now_ms)) throw unknownSession();
    const session: Session = {
      node,
      epoch: Number.parseInt(parts[2] ?? '', 36),
      expires_ms: Number.parseInt(parts[3] ?? '', 36) * 1000,
    };
    const genuine = {
      slot,
      bearer: Buffer.from(bearer, 'latin1'),
      session,
      actor: { kind: 'node', id: node, name: '', epoch: session.epoch } as const,
    };
    this.#genuine.set(slot, genuine);
    return genuine;
  }

  /** With a key that was replaced, for as long as a session may live that was opened before. */
  #isSigned(said: string, mac: Buffer, now_ms: number): boolean {
    const good = this.#keys().filter(
      ({ replaced_ms }) => replaced_ms === null || now_ms < replaced_ms + SESSION_S * 1000,
    );
    return good.some(({ key }) => isSameBytes(mac, Buffer.from(this.#mac(said, key), 'latin1')));
  }

  #mac(said: string, from: MasterKey): string {
    let key = this.#derived.get(from);
    if (key === undefined) {
      key = createSecretKey(createHmac('sha256', from).update('node sessions').digest());
      this.#derived.set(from, key);
    }
    return createHmac('sha256', key).update(said).digest('base64url');
  }
}

/** Of a text of any form: it says only where to look. */
function slotOf(bearer: string): number {
  let slot = 0;
  for (let at = SLOT.from; at < SLOT.to; at++) slot = (slot * 37 + bearer.charCodeAt(at)) & 0x3fffffff;
  return slot;
}

/** Compares in constant time: the time it takes must not reveal how much of a guess is right. Lengths are no secret. */
function isSame(bearer: string, known: Buffer): boolean {
  if (bearer.length !== known.length) return false;
  let scratch = scratches[known.length];
  if (scratch === undefined) {
    scratch = Buffer.alloc(known.length);
    scratches[known.length] = scratch;
  }
  // As UTF-8, so that no character beyond ASCII can pass for one of ours.
  return scratch.write(bearer, 'utf8') === known.length && isSameBytes(scratch, known);
}
const scratches: (Buffer | undefined)[] = [];

/** The node behind a session as it stands now. Throws `Refused` when the session was ended. */
export function currentActor(view: View, id: NodeId, epoch: number, before?: NodeActor): NodeActor {
  const node = view.get('node', id)?.body;
  if (node === undefined || node.removed_at !== null || node.session_epoch !== epoch) {
    const actor: NodeActor = { kind: 'node', id, name: node?.name ?? '?', epoch };
    throw new Refused(
      actor,
      'session_void',
      'The session was ended when the node was quarantined, re-keyed or removed.',
    );
  }
  return before?.name === node.name ? before : { kind: 'node', id, name: node.name, epoch };
}

/** One answer for whatever was never a session of ours. */
function unknownSession(): Refused {
  return new Refused(ANONYMOUS, 'credentials_invalid', 'The Authorization header holds no session that is known here.');
}
