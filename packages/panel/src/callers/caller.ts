/** Who calls: a person with a session, or a scoped token of the coordinator. What both may do to people is decided alike. */
import { type ActorRef, MeshError, type Permission, type Scope, type TokenId, type UserId } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';
import { personRef } from '../users/person-ref.ts';

/** The person who is signed in, with their permissions at the time of the request. */
export interface Person {
  readonly id: UserId;
  readonly user: Stored<'user'>;
  readonly session: Stored<'session'>;
  /** Of the operations that need none, it may be empty: the coordinator is not asked for those. */
  readonly permissions: ReadonlySet<Permission>;
  readonly scope: Scope;
}

/** A scoped token, as the coordinator described it when the request came in. It has no session and no account here. */
export interface TokenCaller {
  readonly id: TokenId;
  readonly name: string;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly scope: Scope;
}

export type Caller = Person | TokenCaller;

interface Called {
  readonly person: Person | null;
  readonly token: TokenCaller | null;
}

/** For operations that people and tokens may call. The gate refuses every other caller before a handler asks. */
export function callerOf({ person, token }: Called): Caller {
  const caller = token ?? person;
  if (caller === null) throw new MeshError('sign_in_required', 'You are not signed in.');
  return caller;
}

/** For operations that only people may call. The gate refuses every other caller before a handler asks. */
export function personOf({ person }: { readonly person: Person | null }): Person {
  if (person === null) throw new MeshError('sign_in_required', 'You are not signed in.');
  return person;
}

export function isPerson(caller: Caller): caller is Person {
  return 'session' in caller;
}

/** How the trail names the caller. */
export function actorOf(caller: Caller): ActorRef {
  return isPerson(caller) ? personRef(caller.user) : { kind: 'token', id: caller.id, name: caller.name };
}

export function roleOf(caller: Caller): string {
  return isPerson(caller) ? caller.user.body.role : caller.role;
}
