/**
 * Passkeys: signing in with a key that a device keeps for this panel alone, without a name or a password. `verify-passkey.ts` checks
 * the response of a browser, `use-passkey.ts` accepts it once, `add-passkey.ts` registers one.
 */
import { MeshError } from '@meshwork/contract';
import { generateAuthenticationOptions } from '@simplewebauthn/server';
import { personOf } from '../../../callers/caller.ts';
import type { AreaHandlers, Handlers } from '../../handler.ts';
import type { PanelParts } from '../../parts.ts';
import { finishSignIn } from '../finish-sign-in.ts';
import { profileOf } from '../profile-of.ts';
import { SignInFailed } from '../sign-in-failed.ts';
import { addPasskey, beginPasskey, removePasskey } from './add-passkey.ts';
import { passkeyParts } from './passkey-parts.ts';
import { CHALLENGE_LIFETIME_MS } from './sign-in-challenges.ts';
import { usePasskey } from './use-passkey.ts';
import { verifyPasskey } from './verify-passkey.ts';

type PasskeyOperation = 'auth.passkey_options' | 'auth.login_passkey';

export function passkeyHandlers(parts: PanelParts): AreaHandlers<'passkeys'> & Handlers<PasskeyOperation> {
  const { ledger } = parts;
  const here = () => ({ ledger, relying_party: relyingPartyAt(parts) });
  return {
    'auth.passkey_options': async (call) => {
      const options = await generateAuthenticationOptions({
        rpID: relyingPartyAt(parts).id,
        challenge: passkeyParts(parts).challenges.issue(call.now_ms),
        timeout: CHALLENGE_LIFETIME_MS,
        userVerification: 'required',
      });
      return { body: { ...options } };
    },
    'auth.login_passkey': async (call) => {
      const proven = await verifyPasskey(passkeyParts(parts), call.body.response, call.now_ms);
      if (proven === undefined) throw new SignInFailed(null, NOT_RIGHT);
      return finishSignIn(parts, call, (tx) => {
        const user = usePasskey(tx, proven) ? tx.get('user', proven.user) : undefined;
        if (user === undefined) throw new SignInFailed(proven.user, NOT_RIGHT);
        return { user, method: 'passkey' };
      });
    },
    'passkeys.begin': async (call) => ({ body: await beginPasskey(here(), call, personOf(call)) }),
    'passkeys.add': async (call) => ({ body: profileOf(ledger, await addPasskey(here(), call, personOf(call))) }),
    'passkeys.remove': async (call) => {
      const user = await ledger.transact(call.cause, (tx) => removePasskey(tx, personOf(call), call.params.id));
      return { body: profileOf(ledger, user) };
    },
  };
}

const NOT_RIGHT = 'The passkey is unknown or could not be verified.';

function relyingPartyAt(parts: PanelParts) {
  const { relying_party } = passkeyParts(parts);
  if (relying_party !== null) return relying_party;
  throw new MeshError('not_found', 'Passkeys are not available at this address: browsers require a host name and TLS.');
}
