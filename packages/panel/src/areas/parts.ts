import type { Log, MasterKey } from '@meshwork/service';
import type { PanelConfig } from '../config.ts';
import type { Entries } from '../coordinator/entries.ts';
import type { Retirements } from '../coordinator/retirements.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Refusals } from '../ledger/refusals.ts';
import type { PersonAccess } from '../sessions/person-access.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Site } from '../site.ts';
import type { Attempts } from './sign-in/attempts.ts';
import type { Passwords } from './sign-in/passwords.ts';

/** What use cases depend on. `main.ts` builds it. */
export interface PanelParts {
  readonly config: PanelConfig;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  /** Permissions of people and roles, from the coordinator. */
  readonly access: PersonAccess;
  /** Ends tokens that people made and may no longer have. */
  readonly retirements: Pick<Retirements, 'settled' | 'preview'>;
  /** Lets people into services that ask for sign-in. */
  readonly entries: Pick<Entries, 'pass'>;
  readonly attempts: Attempts;
  readonly passwords: Passwords;
  /** For refusals that are no error response: a sign-in through the provider ends on a page either way. */
  readonly refusals: Refusals;
  /** The panel's public address, for links, passkeys and checks of origin. */
  readonly site: Site;
  /** Seals secrets at rest. */
  readonly key: MasterKey;
  readonly log: Log;
}
