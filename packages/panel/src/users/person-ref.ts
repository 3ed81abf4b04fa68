import type { ActorRef } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';

/** How the trail names a person. */
export function personRef({ id, body }: Stored<'user'>): ActorRef {
  return { kind: 'person', id, name: body.name };
}
