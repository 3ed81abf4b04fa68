import { MeshError } from '@meshwork/contract';
import type { Person } from './handler.ts';

/** Who is signed in. The gate lets nobody else get as far as a handler that asks. */
export function personOf({ person }: { readonly person: Person | null }): Person {
  if (person === null) throw new MeshError('sign_in_required', 'Nobody is signed in.');
  return person;
}
