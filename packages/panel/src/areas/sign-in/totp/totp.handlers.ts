/**
 * Codes of an authenticator as the second factor, and recovery codes in case it is lost. `check-totp.ts` checks a code;
 * `totp-draft.ts` sets up an authenticator.
 */
import { MeshError } from '@meshwork/contract';
import { personOf } from '../../../callers/caller.ts';
import { Seal } from '../../../seal.ts';
import type { AreaHandlers, Handlers } from '../../handler.ts';
import type { PanelParts } from '../../parts.ts';
import { ownAccount } from '../own-account.ts';
import { profileOf } from '../profile-of.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import { signInByCode } from './sign-in-by-code.ts';
import { beginTotp, finishTotp } from './totp-draft.ts';

export function totpHandlers(parts: PanelParts): AreaHandlers<'totp'> & Handlers<'auth.login_totp'> {
  const { ledger } = parts;
  const seal = new Seal(parts.key, 'totp');
  return {
    'auth.login_totp': (call) => signInByCode({ ...parts, seal }, call, personOf(call)),
    'totp.begin': async (call) => ({
      body: await ledger.transact(call.cause, (tx) => beginTotp(tx, personOf(call), seal)),
    }),
    'totp.finish': async (call) => {
      const given = { code: call.body.code, seal };
      const recovery_codes = await ledger.transact(call.cause, (tx) => finishTotp(tx, personOf(call), given));
      return { body: { recovery_codes: [...recovery_codes] } };
    },
    'totp.new_recovery_codes': async (call) => {
      const { codes, hashes } = newRecoveryCodes();
      await ledger.transact(call.cause, (tx) => {
        const { id, body } = ownAccount(tx, personOf(call)).user;
        if (body.totp === null) throw new MeshError('not_found', 'No authenticator is set up.');
        tx.put('user', id, { ...body, totp: { ...body.totp, recovery_codes: hashes } });
        tx.record({ target: { kind: 'user', id } });
      });
      return { body: { recovery_codes: [...codes] } };
    },
    'totp.remove': async (call) => {
      const changed = await ledger.transact(call.cause, (tx) => {
        const { user } = ownAccount(tx, personOf(call));
        if (user.body.totp === null) return user;
        tx.record({ target: { kind: 'user', id: user.id } });
        return tx.put('user', user.id, { ...user.body, totp: null });
      });
      return { body: profileOf(ledger, changed) };
    },
  };
}
