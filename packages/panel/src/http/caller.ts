/** Who calls: a person with a session, or a scoped token of the coordinator. What both may do to people is decided alike. */
import { type ActorRef, MeshError } from '@meshwork/contract';
import { personRef } from '../people/person-ref.ts';
import type { Person, TokenCaller } from './handler.ts';

export type Caller = Person | TokenCaller;

interface Called {
  readonly person: Person | null;
  readonly token: TokenCaller | null;
}

/** For operations that people and tokens may call. The gate lets nobody else get as far as a handler that asks. */
export function callerOf({ person, token }: Called): Caller {
  const caller = token ?? person;
  if (caller === null) throw new MeshError('sign_in_required', 'Nobody is signed in.');
  return caller;
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
