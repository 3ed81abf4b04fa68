import { randomUUID } from 'node:crypto';
import { type Client, createClient, UnreachableError } from '@meshwork/client';
import type { NodeState } from '@meshwork/contract';
import { LeanFetch } from '../wire/lean-fetch.ts';
import { enroll } from './enroll.ts';
import { identityKeyOf, newIdentityKey } from './keys.ts';
import {
  type EnrolledIdentity,
  isEnrolled,
  loadIdentity,
  type SavedIdentity,
  saveIdentity,
  type Wish,
} from './saved-identity.ts';
import type { StateFolder } from './state-folder.ts';
import { type Trust, tlsOf } from './trust.ts';
import { WireguardKey } from './wireguard-key.ts';

export interface JoinRequest {
  readonly coordinators: readonly [string, ...string[]];
  readonly trust: Trust;
  readonly wish: Wish;
  /** The enrolment token. Asked for only when it is needed, used once, and never kept. */
  readonly token: () => Promise<string>;
  readonly agent_version: string;
  readonly signal: AbortSignal;
}

export interface Joined {
  readonly identity: EnrolledIdentity;
  /** `already`: it was enrolled before, and no request was sent. `resumed`: an interrupted enrolment was completed. */
  readonly how: 'new' | 'resumed' | 'already';
  /** Absent: no request was sent. */
  readonly state?: NodeState | undefined;
}

/** The machine is a node of another mesh already. */
export class OtherMeshError extends Error {
  override readonly name = 'OtherMeshError';
}

/**
 * Makes this machine a node. What it will be is on disk before a request is sent, so that it can be cut short anywhere and
 * gone on with: the same keys under the same idempotency key are the same node, however often they are sent.
 */
export async function joinMesh(folder: StateFolder, request: JoinRequest): Promise<Joined> {
  const found = await loadIdentity(folder.path);
  if (found !== undefined && isEnrolled(found)) return { identity: sameMesh(found, request), how: 'already' };
  const token = await request.token();
  const identity = plan(found, request);
  const wireguard = (await WireguardKey.load(folder.path)) ?? (await WireguardKey.create(folder.path));
  await saveIdentity(folder.path, identity);

  const lean = new LeanFetch(tlsOf(identity.trust));
  try {
    const keys = { identity: identityKeyOf(identity.private_key), wireguard: wireguard.current };
    const { idempotency_key } = identity;
    const { accept_routes: _, ...wish } = identity.wish; // the host's own business: heartbeats tell of it
    const { agent_version, signal } = request;
    const { node, name, state, interval_s, audience } = await atAny(identity.coordinators, lean, (client) =>
      enroll(client, { ...wish, keys, idempotency_key, token, agent_version, signal }),
    );
    const joined: EnrolledIdentity = { ...identity, enrolled: { node, name, interval_s, audience } };
    await saveIdentity(folder.path, joined);
    return { identity: joined, how: found === undefined ? 'new' : 'resumed', state };
  } finally {
    lean.close();
  }
}

function sameMesh(found: EnrolledIdentity, { coordinators }: JoinRequest): EnrolledIdentity {
  if (coordinators.some((url) => found.coordinators.includes(url))) return found;
  const { node, name } = found.enrolled;
  throw new OtherMeshError(`this machine is ${name} (${node}) of the mesh at ${found.coordinators.join(', ')}`);
}

/**
 * What was begun before keeps its keys. When the wish has changed since then, it is another request and gets another
 * idempotency key: if the first one was received, its name is refused now, and an operator removes that node.
 */
function plan(found: SavedIdentity | undefined, { coordinators, trust, wish }: JoinRequest): SavedIdentity {
  const private_key = found?.private_key ?? newIdentityKey().private;
  const same = found !== undefined && JSON.stringify(found.wish) === JSON.stringify(wish);
  const idempotency_key = same ? found.idempotency_key : randomUUID();
  return { version: 1, coordinators, trust, private_key, idempotency_key, wish };
}

/** The next one is asked when one cannot be reached; a refusal of one is a refusal of all. */
async function atAny<T>(
  urls: readonly string[],
  { fetch }: LeanFetch,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  for (const url of urls) {
    try {
      return await ask(createClient({ url, fetch }));
    } catch (error) {
      if (!(error instanceof UnreachableError)) throw error;
      failure = error;
    }
  }
  throw failure;
}
