import { Seal } from '../../../seal.ts';
import type { PanelParts } from '../../parts.ts';
import { relyingPartyOf } from './relying-party.ts';
import { SignInChallenges } from './sign-in-challenges.ts';
import type { PasskeyParts } from './verify-passkey.ts';

/** What `verifyPasskey` needs, from what the panel has. The address is certain only once the panel listens. */
export function passkeyParts({ ledger, site, key }: Pick<PanelParts, 'ledger' | 'site' | 'key'>): PasskeyParts {
  const challenges = new SignInChallenges(new Seal(key, 'passkey-challenge'));
  return { ledger, relying_party: relyingPartyOf(site.url.href), challenges };
}
