import type { Log, MasterKey } from '@meshwork/service';
import type { PanelConfig } from '../config.ts';
import type { Retirements } from '../coordinator/retirements.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Refusals } from '../ledger/refusals.ts';
import type { PersonAccess } from '../sessions/person-access.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Site } from '../site.ts';
import type { Attempts } from './sign-in/attempts.ts';
import type { Passwords } from './sign-in/passwords.ts';

/** What use cases are made from. `main.ts` puts it together. */
export interface PanelParts {
  readonly config: PanelConfig;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  /** What the coordinator says about people and roles. */
  readonly access: PersonAccess;
  /** Ends at the coordinator what people made and may no longer do. */
  readonly retirements: Pick<Retirements, 'settled' | 'preview'>;
  readonly attempts: Attempts;
  readonly passwords: Passwords;
  /** For what is refused without an error for an answer: a sign-in by the provider ends on a page either way. */
  readonly refusals: Refusals;
  /** Where people find the panel: what links, passkeys and checks of origin go by. */
  readonly site: Site;
  /** Seals secrets at rest. */
  readonly key: MasterKey;
  readonly log: Log;
}
