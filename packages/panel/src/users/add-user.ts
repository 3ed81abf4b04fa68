import { type ActorRef, MeshError, type Scope, type UserId, utc } from '@meshwork/contract';
import type { Stored, UserDocument } from '../ledger/documents.ts';
import type { Transaction } from '../ledger/transaction.ts';

/** Ours: all people are in memory. */
const MAX_PEOPLE = 5000;

interface NewUser {
  readonly name: string;
  readonly display_name: string;
  readonly role: string;
  readonly scope: Scope;
  readonly state: UserDocument['state'];
  readonly groups?: readonly string[];
  /** Hashed. */
  readonly password: string | null;
  readonly created_by: ActorRef;
}

/** Makes a person, and takes the name for them. */
export function addUser(tx: Transaction, id: UserId, given: NewUser): Stored<'user'> {
  if (tx.get('name', given.name) !== undefined) {
    throw new MeshError('already_exists', `The name ${given.name} is already in use.`);
  }
  if ([...tx.all('user')].length >= MAX_PEOPLE)
    throw new MeshError('too_many', `There can be at most ${MAX_PEOPLE} people.`);
  tx.put('name', given.name, { user: id });
  return tx.put('user', id, {
    ...given,
    totp: null,
    passkeys: [],
    oidc: null,
    appearance: 'auto',
    created_at: utc(tx.now_ms),
  });
}
