import type { Permission } from '@meshwork/contract';
import type { Stored } from '../ledger/documents.ts';

/** A session and whose it is, as both stand now. */
export interface SignedInAs {
  readonly user: Stored<'user'>;
  readonly session: Stored<'session'>;
}

/** What the panel asks the coordinator to check permissions. `coordinator/` implements it. */
export interface PersonAccess {
  /** The person's current permissions. Throws `coordinator_unavailable` when the coordinator is unreachable. */
  permissionsOf(person: SignedInAs): Promise<ReadonlySet<Permission>>;
  /** What a role gives, custom ones included. Null: there is no such role. Throws `coordinator_unavailable`. */
  permissionsOfRole(role: string): Promise<ReadonlySet<Permission> | null>;
  /** Called once a session is gone, with its last version: the coordinator's token behind it is to end too. */
  end(session: Stored<'session'>): Promise<void>;
  /** Whether the coordinator answered when it was last asked. */
  readonly reachable: boolean;
}
