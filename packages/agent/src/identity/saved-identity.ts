import type { Service } from '@meshwork/contract';
import { ACCEPT_ROUTES, type AcceptRoutes } from '@meshwork/policy/routes';
import { identityKeyOf } from './keys.ts';
import { loadJson, saveJson } from './saved-json.ts';
import { STATE_FILES } from './state-folder.ts';
import type { Trust } from './trust.ts';

/** What the node was requested to be when it was enrolled. */
export interface Wish {
  readonly name: string;
  readonly tags: string[];
  readonly services: Service[];
  readonly routes: string[];
  /** Which routes of the mesh its host takes. Absent: the agent's own setting, or its default. Not sent at enrolment. */
  readonly accept_routes?: AcceptRoutes | undefined;
}

/** What enrolment gave. */
interface Membership {
  readonly node: string;
  readonly name: string;
  readonly interval_s: number;
  /** The id of the mesh, for which proofs are made. Absent: enrolled by version 0.1.0, and not received since. */
  readonly audience?: string | undefined;
}

/** All that makes this machine the node it is, but its WireGuard key. Written before the first request is sent. */
export interface SavedIdentity {
  readonly version: 1;
  readonly coordinators: readonly [string, ...string[]];
  readonly trust: Trust;
  /** A secret. */
  readonly private_key: string;
  /** Names the one enrolment of this identity, so that one that was cut short is gone on with and not done twice. */
  readonly idempotency_key: string;
  readonly wish: Wish;
  /** Absent: not enrolled yet, as far as this machine knows. */
  readonly enrolled?: Membership | undefined;
}

/** Of a node of the mesh. */
export type EnrolledIdentity = SavedIdentity & { readonly enrolled: Membership };

export function isEnrolled(identity: SavedIdentity): identity is EnrolledIdentity {
  return identity.enrolled !== undefined;
}

export function loadIdentity(folder: string): Promise<SavedIdentity | undefined> {
  return loadJson(folder, STATE_FILES.identity, (fields) => {
    const saved = fields as Partial<SavedIdentity>;
    return isWhole(saved) ? saved : undefined;
  });
}

export function saveIdentity(folder: string, identity: SavedIdentity): Promise<void> {
  return saveJson(folder, STATE_FILES.identity, identity);
}

function isWhole(saved: Partial<SavedIdentity>): saved is SavedIdentity {
  const { version, coordinators, trust, private_key, idempotency_key, wish, enrolled } = saved;
  if (version !== 1 || !Array.isArray(coordinators) || coordinators.length === 0) return false;
  if (typeof trust !== 'object' || typeof idempotency_key !== 'string' || typeof wish?.name !== 'string') return false;
  if (![wish.tags, wish.services, wish.routes].every(Array.isArray)) return false;
  if (wish.accept_routes !== undefined && !ACCEPT_ROUTES.includes(wish.accept_routes)) return false;
  if (enrolled !== undefined && (typeof enrolled.node !== 'string' || typeof enrolled.interval_s !== 'number'))
    return false;
  if (enrolled?.audience !== undefined && typeof enrolled.audience !== 'string') return false;
  return typeof private_key === 'string' && isKey(private_key);
}

function isKey(privateHalf: string): boolean {
  try {
    identityKeyOf(privateHalf);
    return true;
  } catch {
    return false;
  }
}
